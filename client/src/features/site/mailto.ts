/** A link that opens a prepared email; `lines` is its text. */
export const mailto = (address: string, subject: string, lines: readonly string[] = []) => {
  const body = lines.length > 0 ? `&body=${encodeURIComponent(lines.join('\r\n'))}` : '';
  return `mailto:${address}?subject=${encodeURIComponent(subject)}${body}`;
};
