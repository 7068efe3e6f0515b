/** The first message among the errors of a list or group of fields. */
export function firstMessage(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('message' in error && typeof error.message === 'string') return error.message;
  for (const [name, value] of Object.entries(error)) {
    // `ref` is the DOM element, which would lead into the whole page.
    const found = name === 'ref' ? undefined : firstMessage(value);
    if (found !== undefined) return found;
  }
  return undefined;
}
