import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sydneyMidnight } from '#shared/rules/dates.ts';
import { mailFiles, mails } from '#shared/schema/notifications.ts';
import { createTeam, createUser } from '#server/testing/factories.ts';
import { download } from '#server/testing/download.ts';
import { textOfPdf } from '#server/testing/pdf-text.ts';
import { rowsOf } from '#server/testing/purchases.ts';
import { testApp } from '#server/testing/test-app.ts';
import { type documents, statements } from '#server/invoices/service.ts';
import { sendStatements, yearDue } from './statements.ts';

const app = testApp();

type Invoice = {
  payer: { userId: string } | { teamId: string };
  at: string;
  lines?: { toolId?: string; cents: number; gstCents: number }[];
  status?: 'paid' | 'open' | 'void';
  refundCents?: number;
};
let invoices = 0;
/** A copy of an invoice, as reading Stripe would leave it, with a refund of some of it. */
async function insert({
  payer,
  at,
  lines = [{ toolId: 'risk-profile-ai', cents: 3000, gstCents: 273 }],
  ...more
}: Invoice) {
  const { status = 'paid', refundCents = 0 } = more;
  const number = `ST-${(invoices += 1)}`;
  const [total, gst] = [
    lines.reduce((sum, { cents }) => sum + cents, 0),
    lines.reduce((sum, one) => sum + one.gstCents, 0),
  ];
  const [userId, teamId] = 'userId' in payer ? [payer.userId, null] : [null, payer.teamId];
  const stored = lines.map((line) => ({ ...line, quantity: 1, description: 'A month' }));
  const [row] = await rowsOf(
    app,
    `insert into invoices (stripe_invoice_id, number, user_id, team_id, status, description, total_cents, gst_cents,
       amount_paid_cents, due_cents, lines, issued_at, paid_at)
     values ($1, $1, $2, $3, $4::text, 'Tools', $5::int, $6, case when $4 = 'paid' then $5 else 0 end, case when $4 = 'open' then $5 else 0 end, $7, $8::timestamptz, $8)
     returning id`,
    [number, userId, teamId, status, total, gst, JSON.stringify(stored), at],
  );
  if (refundCents > 0)
    await rowsOf(
      app,
      `insert into adjustment_notes (provider_id, invoice_id, number, total_cents, gst_cents, issued_at) values ($1, $2, $1, $3, $4, $5)`,
      [`${number}-R1`, row!['id'], refundCents, Math.round(refundCents / 11), at],
    );
}

const statementsTo = async (email: string) => {
  const all = await app.context.db.select().from(mails);
  const files = await app.context.db.select().from(mailFiles);
  return all
    .filter(({ toAddress, subject }) => toAddress === email && subject.startsWith('Statement of '))
    .map((mail) => ({ ...mail, files: files.filter(({ mailId }) => mailId === mail.id) }));
};
const goTo = (at: Date) => app.clock.advance(at.getTime() - app.context.now().getTime());

describe('the statement of a financial year', () => {
  const year = new Date().getUTCFullYear() + 1;
  const begins = sydneyMidnight(`${year}-07-01`);
  const inYear = `${year}-02-10T01:00:00Z`;

  it('is mailed from the first of July on, once, with its files, to whoever paid and to the bookkeeper', async () => {
    const lena = await app.signedIn({ firstName: 'Lena', lastName: 'Logan' });
    const idle = await app.signedIn();
    const owner = await app.signedIn();
    const { team } = await createTeam(app.context, { ownerId: owner.user.id, name: 'Riverside Advice' });
    const payer = { userId: lena.user.id };
    await insert({
      payer,
      at: inYear,
      lines: [
        { toolId: 'risk-profile-ai', cents: 3000, gstCents: 273 },
        { toolId: 'pre-fill-ai', cents: 2200, gstCents: 200 },
      ],
      refundCents: 1100,
    });
    await insert({ payer, at: new Date(begins.getTime() - 1).toISOString() });
    await insert({ payer, at: begins.toISOString(), lines: [{ toolId: 'file-note-ai', cents: 9900, gstCents: 900 }] });
    await insert({
      payer,
      at: inYear,
      status: 'open',
      lines: [{ toolId: 'risk-profile-ai', cents: 500, gstCents: 45 }],
    });
    await insert({
      payer,
      at: inYear,
      status: 'void',
      lines: [{ toolId: 'risk-profile-ai', cents: 700, gstCents: 64 }],
    });
    await insert({ payer: { teamId: team.id }, at: inYear });
    await rowsOf(
      app,
      `insert into bookkeepers (user_id, email, token, asked_at, confirmed_at) values ($1, 'books@logan.example', 'x', $2, $2), ($3, 'asked@idle.example', 'y', $2, null)`,
      [lena.user.id, inYear, idle.user.id],
    );

    await goTo(new Date(begins.getTime() - 60_000));
    await sendStatements(app.context);
    expect(await statementsTo(lena.user.email)).toEqual([]);

    await goTo(begins);
    await Promise.all([sendStatements(app.context), sendStatements(app.context)]);
    await sendStatements(app.context);
    await goTo(new Date(begins.getTime() + 70 * 86_400_000));
    await sendStatements(app.context);

    const [mine, ...more] = await statementsTo(lena.user.email);
    expect(more).toEqual([]);
    const text = mine!.textBody;
    expect(text).toContain(
      `You paid $82.00 in the financial year ${year - 1}–${String(year).slice(2)}, $7.46 of it GST.`,
    );
    expect(text).toContain('$11.00 was refunded, $1.00 of it GST.');
    expect(text).toContain('$5.00 was invoiced in that year and is not paid yet.');
    expect(text).toMatch(/^Pre-Fill AI +\$22\.00$/m);
    expect(text).toMatch(/^Risk Profile AI +\$60\.00$/m);
    expect(text).toMatch(/^Paid less refunds +\$71\.00$/m);
    expect(text).not.toContain('File Note AI');
    expect(mine!.files.map(({ name, contentType }) => [name, contentType])).toEqual([
      [`adviserly-statement-${year - 1}-${String(year).slice(2)}.pdf`, 'application/pdf'],
      [`adviserly-invoices-${year - 1}-${String(year).slice(2)}.csv`, 'text/csv'],
    ]);
    const pdf = textOfPdf(mine!.files[0]!.body);
    for (const part of ['Statement', 'Lena Logan', 'Risk Profile AI', '$60.00', '$71.00', '$6.46'])
      expect(pdf).toContain(part);
    const { rows: csv } = { rows: mine!.files[1]!.body.toString('utf8').trim().split('\r\n') };
    expect(csv[0]).toContain('InvoiceNumber');
    // Two paid ones, the one that is open, and the refund; never the one that was voided.
    expect(csv).toHaveLength(5);

    const [copy, ...others] = await statementsTo('books@logan.example');
    expect(others).toEqual([]);
    expect(copy!.subject).toMatch(/, Lena Logan$/);
    expect(copy!.textBody).toContain('Lena Logan paid $82.00');
    expect(copy!.files).toHaveLength(2);
    expect(copy!.headers).toHaveProperty('List-Unsubscribe');

    expect((await statementsTo(owner.user.email)).map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/, Riverside Advice$/),
    ]);
    for (const nobody of [idle.user.email, 'asked@idle.example']) expect(await statementsTo(nobody)).toEqual([]);
    const { body } = await lena.agent.get('/api/billing/told').expect(200);
    expect((body as { told: { kind: string }[] }).told.map(({ kind }) => kind)).toContain('year-statement');
  });

  it.each([
    ['2027-06-30T13:59:59Z', null],
    ['2027-06-30T14:00:00Z', 2027],
    ['2027-09-30T13:00:00Z', 2027],
    ['2027-09-30T14:00:00Z', null],
    ['2026-12-31T13:00:00Z', null],
  ])('is due at %s: %s', (at, due) => expect(yearDue(new Date(at))).toBe(due));

  it('is a PDF for whoever may read the invoices', async () => {
    const owner = await app.signedIn();
    const { team } = await createTeam(app.context, { ownerId: owner.user.id, name: 'Harbour Advice' });
    await insert({ payer: { teamId: team.id }, at: '2026-02-10T01:00:00Z' });
    const path = `/api/billing/statement.pdf?financialYear=2026&teamId=${team.id}`;
    for (const [role, status] of [
      ['admin', 200],
      ['reviewer', 200],
      ['member', 403],
    ] as const) {
      const other = await createUser(app.context, { membershipType: 'team' });
      await rowsOf(app, 'insert into team_members (team_id, user_id, role) values ($1, $2, $3)', [
        team.id,
        other.id,
        role,
      ]);
      await (await app.signIn(other.email)).agent.get(path).expect(status);
    }
    await (await app.signedIn()).agent.get(path).expect(404);
    const { body, type } = await download(owner.agent, path);
    expect(type).toBe('application/pdf');
    expect(textOfPdf(Buffer.from(body))).toContain('Harbour Advice');
    await owner.agent.get(`/api/billing/statement.pdf?financialYear=1999&teamId=${team.id}`).expect(400);
  });
});

describe('what a statement adds up to', () => {
  const line = fc.record({
    toolId: fc.option(fc.constantFrom('a', 'b', 'c'), { nil: undefined }),
    cents: fc.integer({ min: -500, max: 9000 }),
    gstCents: fc.option(fc.integer({ min: -50, max: 900 }), { nil: undefined }),
    discountCents: fc.option(fc.integer({ min: 0, max: 400 }), { nil: undefined }),
  });
  const document = fc.record({
    lines: fc.array(line, { maxLength: 5 }),
    totalCents: fc.integer({ min: 1, max: 20_000 }),
    gstCents: fc.integer({ min: 0, max: 2000 }),
    status: fc.constantFrom('paid', 'open', 'void', 'uncollectible'),
    noteCents: fc.option(fc.integer({ min: 1, max: 500 }), { nil: null }),
  });

  it('is, by tool and by document, what was paid and refunded, to the cent', () => {
    fc.assert(
      fc.property(fc.array(document, { maxLength: 6 }), (given) => {
        const asDocuments = given.map(({ noteCents, ...invoice }) => ({
          invoice: {
            ...invoice,
            number: 'N',
            issuedAt: new Date(0),
            dueCents: invoice.totalCents,
            description: 'Tools',
          },
          note: noteCents === null ? null : { number: 'R', totalCents: noteCents, gstCents: 0, issuedAt: new Date(0) },
        })) as unknown as documents.Document[];
        const about = { financialYear: 2027, madeOn: '2027-07-01', nameOf: (id: string) => id };
        const { paid, refunded, tools, documents: listed } = statements.statementOf(asDocuments, about);
        const isPaid = given.filter(({ status, noteCents }) => noteCents === null && status === 'paid');
        expect(paid.cents).toBe(isPaid.reduce((sum, { totalCents }) => sum + totalCents, 0));
        for (const key of ['cents', 'gstCents'] as const) {
          const sum = (list: readonly Record<typeof key, number>[]) => list.reduce((total, one) => total + one[key], 0);
          expect(sum(tools)).toBe(paid[key]);
          expect(sum(listed)).toBe(paid[key] - refunded[key]);
        }
      }),
    );
  });
});
