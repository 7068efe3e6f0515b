/** The first sentence among the errors of a list or group of fields. */
export function firstMessage(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('message' in error && typeof error.message === 'string') return error.message;
  for (const [name, value] of Object.entries(error)) {
    // The element itself, which leads to the whole page.
    const found = name === 'ref' ? undefined : firstMessage(value);
    if (found !== undefined) return found;
  }
  return undefined;
}
