const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const escapeHtml = (value: unknown) =>
  (typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '').replace(
    /[&<>"']/g,
    (c) => entities[c] ?? c,
  );

/** Markup whose values are escaped; markup made by `html` itself goes in as it is. */
export type Html = { markup: string };
const render = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(render).join('');
  return typeof value === 'object' && value !== null && 'markup' in value ? (value as Html).markup : escapeHtml(value);
};
export const html = (parts: TemplateStringsArray, ...values: unknown[]): Html => ({
  markup: parts.reduce((text, part, i) => text + render(values[i - 1]) + part),
});
