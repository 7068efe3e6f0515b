import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { Seller } from '#shared/brand.ts';
import type { InvoiceBuyer } from '#shared/schema/billing.ts';
import { createThreads, startThread } from '#server/platform/threads.ts';
import type { Asker } from '#server/platform/http/waiting-line.ts';
import type { InvoiceRow, NoteRow } from './queries.ts';
import type { Statement } from './statement.ts';

type Parties = { buyer: InvoiceBuyer; seller: Seller };
export type InvoiceJob = Parties & { invoice: InvoiceRow; note: NoteRow | null };
export type StatementJob = Parties & { statement: Statement };
export type DrawingJob = InvoiceJob | StatementJob;

/** Drawing takes some 30 ms: on the main thread, one customer who asks for 200 would hold up everybody. */
const threads = createThreads<DrawingJob, Uint8Array>({
  name: 'PDF drawing',
  atOnce: Math.min(2, Math.max(1, availableParallelism() - 1)),
  startWorker: () => startThread('invoices/draw.worker', 'PDFs'),
  limit: 64,
  share: 16,
  deadlineMs: 15_000,
});

/** At most 200 documents of some 60 kB, by the hash of their content, so that none is ever out of date. */
const kept = new Map<string, Promise<Uint8Array>>();
const maxKept = 200;

/** The document as a PDF, drawn once however many ask for it at the same time. */
export function drawn(job: DrawingJob, asker: Asker): Promise<Uint8Array> {
  const key = createHash('sha256').update(JSON.stringify(job)).digest('base64url');
  const known = kept.get(key);
  const document = known ?? threads.run(job, asker);
  // What was asked for last stays longest.
  kept.delete(key);
  kept.set(key, document);
  const [oldest] = kept.keys();
  if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest);
  if (!known) document.catch(() => kept.get(key) === document && kept.delete(key));
  return document;
}
