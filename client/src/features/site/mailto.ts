/** The address of a prepared e-mail; lines of the text end as mail wants them. */
export const mailto = (address: string, subject: string, lines: readonly string[] = []) => {
  const body = lines.length > 0 ? `&body=${encodeURIComponent(lines.join('\r\n'))}` : '';
  return `mailto:${address}?subject=${encodeURIComponent(subject)}${body}`;
};
