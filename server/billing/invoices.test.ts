import { describe, expect, it } from 'vitest';
import type { Invoice } from '#shared/api/billing.ts';
import { sampleSeller, seller } from '#shared/brand.ts';
import { formatAbn } from '#shared/rules/australia.ts';
import { formatSydneyDate, plus } from '#shared/rules/dates.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import type { InvoiceLine } from '#shared/schema/billing.ts';
import { documents } from '#server/invoices/service.ts';
import { createTeam } from '#server/testing/factories.ts';
import { download } from '#server/testing/download.ts';
import { textOfPdf } from '#server/testing/pdf-text.ts';
import { buy, DAY, passTime, passToBill, rowsOf } from '#server/testing/purchases.ts';
import { testApp, type Agent } from '#server/testing/test-app.ts';

const app = testApp();

const path = '/api/billing/invoices';
const list = async (agent: Agent, query: object = {}) =>
  (await agent.get(path).query(query).expect(200)).body as {
    invoices: (Omit<Invoice, 'date'> & { date: string })[];
    pagination: { page: number; total: number; totalPages: number };
  };
const pdf = async (agent: Agent, address: string) => {
  const { body, type, name } = await download(agent, address);
  expect(type).toBe('application/pdf');
  return { text: textOfPdf(body), name };
};

/** A copy of an invoice, as reading Stripe would leave it. */
const insertInvoice = (userId: string, values: { id: string; at: string; cents?: number }) =>
  rowsOf(
    app,
    `insert into invoices (stripe_invoice_id, user_id, number, status, description, total_cents, gst_cents, lines, issued_at)
     values ($1, $2, $1, 'paid', 'Risk Profile AI', $3, 0, '[]', $4)`,
    [values.id, userId, values.cents ?? 3000, values.at],
  );

describe('GET /api/billing/invoices', () => {
  it('is empty at first, and then holds what was paid', async () => {
    const { agent } = await app.signedIn();
    expect(await list(agent)).toEqual({ invoices: [], years: [], pagination: { page: 1, total: 0, totalPages: 1 } });
    await buy(app, agent, 'risk-profile-ai');
    const { invoices, pagination } = await list(agent);
    expect(pagination).toEqual({ page: 1, total: 1, totalPages: 1 });
    expect(invoices).toEqual([
      {
        id: expect.any(String),
        number: expect.any(String),
        kind: 'invoice',
        date: expect.any(String),
        amount: 3000,
        gst: 273,
        status: 'paid',
        description: expect.stringMatching(/^Risk Profile AI, \d+ \w+( \d+)? to \d+ \w+ \d+$/),
        invoiceUrl: `${path}/${invoices[0]!.id}/pdf`,
      },
    ]);
  });

  it('lists the newest first, with each renewal, and in one order on every page where dates are equal', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, 'file-note-ai');
    await passToBill(app, agent);
    for (let i = 0; i < 45; i += 1) await insertInvoice(user.id, { id: `in_same_${i}`, at: '2020-01-01T00:00:00Z' });
    const pages = await Promise.all([1, 2, 3, 4].map((page) => list(agent, { page })));
    expect(pages.map(({ invoices }) => invoices.length)).toEqual([20, 20, 7, 0]);
    expect(pages[0]!.pagination).toEqual({ page: 1, total: 47, totalPages: 3 });
    const all = pages.flatMap(({ invoices }) => invoices);
    expect(new Set(all.map(({ id }) => id)).size).toBe(47);
    const dates = all.map(({ date }) => date);
    expect(dates).toEqual(dates.toSorted().toReversed());
  });

  it('lists the later number first, of one second', async () => {
    const { agent, user } = await app.signedIn();
    const numbers = Array.from({ length: 9 }, (_, i) => `SAME-000${i + 1}`);
    for (const id of numbers) await insertInvoice(user.id, { id, at: '2020-01-01T00:00:00Z' });
    expect((await list(agent)).invoices.map(({ number }) => number)).toEqual(numbers.toReversed());
  });

  it('refuses an invalid page with 400', async () => {
    const { agent } = await app.signedIn();
    await agent.get(path).query({ page: 0 }).expect(400);
    await agent.get(path).query({ page: 'x' }).expect(400);
  });

  it('lists a team’s invoices apart, for its owner only', async () => {
    const { agent, user } = await app.signedIn();
    const { team } = await createTeam(app.context, { ownerId: user.id });
    await buy(app, agent, 'risk-profile-ai');
    expect((await list(agent, { teamId: team.id })).invoices).toEqual([]);
    const outsider = await app.signedIn();
    await outsider.agent.get(path).query({ teamId: team.id }).expect(404);
  });
});

describe('PDF tax invoice', () => {
  it('shows words, seller and ABN, buyer and ABN, date, the price of a month, lines with discount, GST and total', async () => {
    const { agent, user } = await app.signedIn({ abn: '51824753556', lastName: 'Nguyễn' });
    await buy(app, agent, 'fact-find-ai');
    await buy(app, agent, 'risk-profile-ai');
    await passTime(app, 32 * DAY);
    const [newest] = (await list(agent)).invoices;
    expect(newest!.description).toMatch(/^2 tools, \d+ \w+( \d+)? to \d+ \w+ \d+$/);
    const { text, name } = await pdf(agent, newest!.invoiceUrl);
    expect(name).toBe(`attachment; filename=tax-invoice-${newest!.number}.pdf`);
    const issued = formatSydneyDate(new Date(newest!.date));
    for (const line of [
      'Tax invoice',
      seller().name,
      `ABN ${formatAbn(seller().abn)}`,
      seller().address,
      'Alex Nguyễn',
      'Nguyen Advice',
      'ABN 51 824 753 556',
      '1 Pitt Street',
      'Sydney NSW 2000',
      user.email,
      newest!.number,
      issued,
      `Paid on ${issued}`,
      `${newest!.description}: $76.00 a month`,
      'GST',
      'Total (includes GST)',
      'GST included in the total',
      'Amount due',
      '$2.59',
      '−$1.50',
      '$30.00',
      '$76.00',
      'Bulk discount (5%)',
      'All items are taxable. GST is worked out after discounts.',
    ])
      expect(text.split('\n')).toContain(line);
    expect(text).toMatch(/^Risk Profile AI, \d+ \w+/m);
  });

  it('keeps the seller that it was issued by', async () => {
    const { agent } = await app.signedIn();
    await buy(app, agent, 'risk-profile-ai');
    const [before] = (await list(agent)).invoices;
    await documents.noteSeller(
      app.context.db,
      { ...sampleSeller, name: 'Harbour Tools Pty Ltd' },
      plus(app.context.now(), DAY),
    );
    await passTime(app, 32 * DAY);
    const [after] = (await list(agent)).invoices;
    expect((await pdf(agent, before!.invoiceUrl)).text).toContain(sampleSeller.name);
    const { text } = await pdf(agent, after!.invoiceUrl);
    expect(text).toContain('Harbour Tools Pty Ltd');
    expect(text).not.toContain(sampleSeller.name);
    await rowsOf(app, 'delete from sellers where since > $1', [before!.date]);
  });

  it('gives each discount a line and a name; quantity × unit price is the amount, and the GST of the lines adds up', async () => {
    const { agent, user } = await app.signedIn({ membershipType: 'shaw_partners' });
    for (const tool of ['fact-find-ai', 'risk-profile-ai']) await buy(app, agent, tool);
    const { team } = await createTeam(app.context, { ownerId: user.id, members: 5 });
    await buy(app, agent, 'file-note-ai', 'pm_card_visa', { teamId: team.id });
    await passTime(app, 12 * DAY);
    const leaving = (await rowsOf(
      app,
      "select user_id from team_members where team_id = $1 and role = 'member' limit 1",
      [team.id],
    )) as { user_id: string }[];
    await agent.delete(`/api/teams/${team.id}/members/${leaving[0]!.user_id}`).expect((answer) => answer.status < 300);
    await app.context.queue.drain();
    await passTime(app, 20 * DAY);
    const rows = await rowsOf(
      app,
      'select lines, total_cents, gst_cents from invoices where user_id = $1 or team_id = $2',
      [user.id, team.id],
    );
    const lines = rows.flatMap((row) => row['lines'] as InvoiceLine[]);
    for (const row of rows) {
      const own = row['lines'] as InvoiceLine[];
      expect(own.filter(({ toolId, stripeLineId }) => !toolId || !stripeLineId)).toEqual([]);
      expect(own.reduce((sum, { gstCents = 0 }) => sum + gstCents, 0)).toBe(row['gst_cents']);
      expect(
        own.reduce((sum, one) => sum + one.cents - (one.discounts ?? []).reduce((off, { cents }) => off + cents, 0), 0),
      ).toBe(row['total_cents']);
    }
    expect(lines.map(({ discounts = [] }) => discounts.map(({ label }) => label).join(' + '))).toContain(
      'Partner discount (50%) + Bulk discount (5%)',
    );
    const left = lines.filter(({ description }) => /^File Note AI for .+ \(\d+ days, credit\)$/.test(description));
    expect(left).toHaveLength(1);
    const { invoices } = await list(agent, { teamId: team.id });
    const { text } = await pdf(agent, invoices[0]!.invoiceUrl);
    expect(text.replaceAll(/\s+/g, ' ')).toContain(left[0]!.description);
    expect(text.split('\n')).toContain(formatCents(left[0]!.cents));
  });

  it('names the buyer of the day of issue, with the billing address where there is one', async () => {
    const { agent } = await app.signedIn();
    const address = { line1: '9 Collins Street', line2: '', city: 'Melbourne', state: 'VIC', postcode: '3000' };
    await agent.put('/api/billing/address').send(address).expect(200);
    await buy(app, agent, 'risk-profile-ai');
    await agent
      .put('/api/billing/address')
      .send({ ...address, line1: '1 Elsewhere Road' })
      .expect(200);
    await agent.patch('/api/user/profile').send({ firstName: 'Somebody', lastName: 'Else' }).expect(200);
    await agent.post('/api/subscriptions/risk-profile-ai/sync').send({}).expect(200);
    const { text } = await pdf(agent, (await list(agent)).invoices[0]!.invoiceUrl);
    expect(text).toContain('9 Collins Street\nMelbourne VIC 3000');
    expect(text).toContain('Alex Nguyen');
    expect(text).not.toMatch(/Elsewhere|Somebody/);
  });

  it('is not found where it is somebody else’s or made up, or without a session', async () => {
    const { agent } = await app.signedIn();
    await buy(app, agent, 'risk-profile-ai');
    const address = (await list(agent)).invoices[0]!.invoiceUrl;
    const stranger = await app.signedIn();
    await stranger.agent.get(address).expect(404);
    await agent.get(`${path}/00000000-0000-4000-8000-000000000000/pdf`).expect(404);
    await agent.get(`${path}/nothing/pdf`).expect(400);
    await app.agent().get(address).expect(401);
  });

  it('is for a team’s owner, also once the team was closed, and never for a member', async () => {
    const { agent, user } = await app.signedIn();
    const { team } = await createTeam(app.context, { ownerId: user.id });
    await insertInvoice(user.id, { id: 'in_of_the_team', at: '2026-01-01T00:00:00Z' });
    const [row] = await rowsOf(
      app,
      "update invoices set user_id = null, team_id = $1 where stripe_invoice_id = 'in_of_the_team' returning id",
      [team.id],
    );
    const address = `${path}/${String(row!.id)}/pdf`;
    const member = await app.signedIn();
    await rowsOf(app, "insert into team_members (team_id, user_id, role) values ($1, $2, 'member')", [
      team.id,
      member.user.id,
    ]);
    await member.agent.get(address).expect(404);
    expect((await pdf(agent, address)).text).toContain('Nguyen Partners');
    await rowsOf(app, 'update teams set is_active = false where id = $1', [team.id]);
    expect((await pdf(agent, address)).text).toContain('Tax invoice');
  });

  it('says of an invoice that is owed that it is, and of a cancelled one that nothing is', async () => {
    const { agent, user } = await app.signedIn();
    await insertInvoice(user.id, { id: 'in_owed', at: '2026-01-01T00:00:00Z' });
    await rowsOf(app, "update invoices set status = 'open', due_cents = 3000 where stripe_invoice_id = 'in_owed'");
    const [owed] = (await list(agent)).invoices;
    expect((await pdf(agent, owed!.invoiceUrl)).text).toContain('$30.00 due');
    await rowsOf(app, "update invoices set status = 'void', due_cents = 0 where stripe_invoice_id = 'in_owed'");
    expect((await pdf(agent, owed!.invoiceUrl)).text).toContain('Cancelled, nothing is owed');
  });
});
