const maxLength = 2000;
const hasControlCharacter = (text: string) => [...text].some((c) => c.charCodeAt(0) < 32 || c.charCodeAt(0) === 127);

/** A path of our own, or null: `//host` and `/\host` lead elsewhere, and browsers drop tabs and line breaks in between. */
export function safeReturnTo(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > maxLength || hasControlCharacter(value)) return null;
  return /^\/(?![/\\])/.test(value) ? value : null;
}

/** Where `GET /api/login` leads (decisions §2). */
export function signInPage(returnTo: unknown): string {
  const path = safeReturnTo(returnTo);
  return path === null ? '/auth' : `/auth?returnTo=${encodeURIComponent(path)}`;
}
