import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { InvoiceBuyer } from '#shared/schema/billing.ts';
import { createThreads } from '#server/platform/threads.ts';
import type { Asker } from '#server/platform/waiting-line.ts';
import type { InvoiceRow, NoteRow } from './queries.ts';

export type DrawingJob = { invoice: InvoiceRow; note: NoteRow | null; buyer: InvoiceBuyer };

/** The thread's own file in the bundle; its source, which tsx has to read, otherwise. */
function startWorker(): Worker {
  const here = import.meta.dirname;
  if (path.basename(here) === 'dist') return new Worker(path.join(here, 'invoices/draw.worker.js'), { name: 'PDFs' });
  const source = `import('tsx/esm/api').then(({ register }) => (register(), import(require('node:worker_threads').workerData)))`;
  const workerData = pathToFileURL(path.join(here, 'draw.worker.ts')).href;
  return new Worker(source, { eval: true, workerData, execArgv: [], name: 'PDFs' });
}

/** Drawing takes some 30 ms: on the main thread, one customer who asks for 200 would hold up everybody. */
const threads = createThreads<DrawingJob, Uint8Array>({
  name: 'PDF drawing',
  atOnce: Math.min(2, Math.max(1, availableParallelism() - 1)),
  startWorker,
  limit: 64,
  share: 16,
  deadlineMs: 15_000,
});

/** Some 200 documents of 60 kB; each is the answer to its content, so that none is ever out of date. */
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
