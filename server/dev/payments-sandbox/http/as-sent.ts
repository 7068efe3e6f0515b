import type { Objects } from '../store/objects.ts';

/** An invoice that is sent carries this many of its lines; all of them are listed. */
const EMBEDDED_LINES = 10;

const isInvoice = (value: object): value is Objects['invoice'] =>
  'lines' in value && 'object' in value && value.object === 'invoice';

function shortened(invoice: Objects['invoice']): Objects['invoice'] {
  const { data } = invoice.lines;
  const lines = { ...invoice.lines, data: data.slice(0, EMBEDDED_LINES), has_more: data.length > EMBEDDED_LINES };
  return { ...invoice, lines };
}

/** An object as an answer or an event carries it, with the invoices inside it. */
export function asSent<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(asSent) as T;
  const shown = isInvoice(value) ? shortened(value) : value;
  return Object.fromEntries(Object.entries(shown).map(([name, part]) => [name, asSent(part)])) as T;
}
