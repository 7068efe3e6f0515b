/** What a payer's bookkeeper gets: receipts, tax invoices and statements. */
export { endBookkeeper } from './bookkeeper.ts';
