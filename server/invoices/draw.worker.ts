import os from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { DrawingJob } from './drawings.ts';
import { statementPdf } from './statement-pdf.ts';
import { adjustmentNotePdf, taxInvoicePdf } from './tax-invoice.ts';

// On Linux each thread has its own priority: drawing gives way to threads that answer and check passwords. Elsewhere it is the process's.
if (os.platform() === 'linux') os.setPriority(10);

const draw = (job: DrawingJob): Promise<Uint8Array> => {
  if ('statement' in job) return statementPdf(job);
  return job.note ? adjustmentNotePdf(job, job.note) : taxInvoicePdf(job);
};

/** A thread that draws one document after another. */
parentPort?.on('message', (job: DrawingJob) => {
  draw(job).then(
    (result) => parentPort?.postMessage({ result }),
    (error: unknown) => parentPort?.postMessage({ fault: String(error) }),
  );
});
