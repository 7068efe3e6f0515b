/** A path on this very site, or null: what begins with two slashes or a backslash leads elsewhere (decisions §2). */
export function ownPath(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > 2000) return null;
  return /^\/(?![/\\])[\x21-\x7e]*$/.test(value) && !value.includes('\\') ? value : null;
}
