import { parentPort } from 'node:worker_threads';
import type { DrawingJob } from './drawings.ts';
import { adjustmentNotePdf, taxInvoicePdf } from './tax-invoice.ts';

/** A thread that draws one document after the other. */
parentPort?.on('message', ({ invoice, note, buyer }: DrawingJob) => {
  (note ? adjustmentNotePdf(note, invoice, buyer) : taxInvoicePdf(invoice, buyer)).then(
    (result) => parentPort?.postMessage({ result }),
    (error: unknown) => parentPort?.postMessage({ fault: String(error) }),
  );
});
