import { unzipSync } from 'fflate';
import { expect, it } from 'vitest';
import { createTeam } from '#server/testing/factories.ts';
import { textOfPdf } from '#server/testing/pdf-text.ts';
import { rowsOf } from '#server/testing/purchases.ts';
import { download } from '#server/testing/download.ts';
import { testApp } from '#server/testing/test-app.ts';

const app = testApp();

/** A copy of an invoice, as reading Stripe would leave it; with a refund of all of it, if asked. */
async function insert(
  teamId: string,
  number: string,
  at: string,
  { refundedAt, status = 'paid' }: { refundedAt?: string; status?: string } = {},
) {
  const [row] = await rowsOf(
    app,
    `insert into invoices (stripe_invoice_id, team_id, number, status, description, total_cents, gst_cents, lines, issued_at)
     values ($1, $2, $1, $3, 'Risk Profile AI, =1+1', 3000, 273, '[]', $4) returning id`,
    [number, teamId, status, at],
  );
  if (refundedAt)
    await rowsOf(
      app,
      `insert into adjustment_notes (provider_id, invoice_id, number, total_cents, gst_cents, issued_at) values ($1, $2, $1, 3000, 273, $3)`,
      [`${number}-R1`, row!['id'], refundedAt],
    );
}

it('a financial year is a list, a zip of PDFs, and bills that Xero imports, by Sydney’s 1 July', async () => {
  const { agent, user } = await app.signedIn();
  const { team } = await createTeam(app.context, { ownerId: user.id });
  // The last minute of the year and the first of the next, in Sydney.
  await insert(team.id, 'A-1', '2025-06-30T13:59:00Z');
  await insert(team.id, 'A-2', '2025-06-30T14:00:00Z', { refundedAt: '2026-06-30T13:00:00Z' });
  await insert(team.id, 'A-3', '2026-01-10T00:00:00Z', { status: 'void' });
  await insert(team.id, 'A-4', '2026-07-01T00:00:00Z');
  const of = (path: string, year: number) => `/api/billing/${path}?financialYear=${year}&teamId=${team.id}`;

  const { body: listed } = await agent.get(of('invoices', 2026)).expect(200);
  const list = listed as { years: number[]; invoices: { number: string }[]; pagination: { total: number } };
  expect(list.years).toEqual([2027, 2026, 2025]);
  expect(list.invoices.map(({ number }) => number)).toEqual(['A-2-R1', 'A-3', 'A-2']);
  expect(list.pagination.total).toBe(3);

  const csv = (await agent.get(of('invoices.csv', 2026)).expect(200)).text;
  expect(csv.split('\r\n').slice(0, 3)).toEqual([
    '\ufeffContactName,InvoiceNumber,Reference,InvoiceDate,DueDate,Total,Description,Quantity,UnitAmount,AccountCode,TaxType,TaxAmount,Currency',
    'Adviserly Pty Ltd,A-2,,01/07/2025,01/07/2025,30,"Risk Profile AI, =1+1",1,30,,GST on Expenses,2.73,AUD',
    'Adviserly Pty Ltd,A-2-R1,Adjustment of A-2,30/06/2026,30/06/2026,-30,"Refund for Risk Profile AI, =1+1",1,-30,,GST on Expenses,-2.73,AUD',
  ]);
  expect(csv).not.toContain('A-3');

  const { body, type } = await download(agent, of('invoices.zip', 2026));
  expect(type).toBe('application/zip');
  const files = unzipSync(body);
  expect(Object.keys(files)).toEqual([
    '2025-07-01 tax-invoice-A-2.pdf',
    '2026-01-10 tax-invoice-A-3.pdf',
    '2026-06-30 adjustment-note-A-2-R1.pdf',
  ]);
  expect(textOfPdf(Buffer.from(files['2025-07-01 tax-invoice-A-2.pdf']!))).toContain('A-2');

  for (const path of ['invoices.csv', 'invoices.zip']) {
    await (await app.signedIn()).agent.get(of(path, 2026)).expect(404);
    await agent.get(`/api/billing/${path}?teamId=${team.id}`).expect(400);
  }
  expect(Object.keys(unzipSync((await download(agent, of('invoices.zip', 2024))).body))).toEqual([]);
});
