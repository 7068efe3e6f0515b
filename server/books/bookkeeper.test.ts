import { describe, expect, it } from 'vitest';
import { mailFiles, mails } from '#shared/schema/notifications.ts';
import { within } from '#server/platform/context.ts';
import { transaction } from '#server/platform/data/database.ts';
import { createTeam, createUser } from '#server/testing/factories.ts';
import { handOver } from '#server/testing/hand-over.ts';
import { textOfPdf } from '#server/testing/pdf-text.ts';
import { buy, DAY, pass, rowsOf } from '#server/testing/purchases.ts';
import { testApp, type Agent } from '#server/testing/test-app.ts';
import { mailCopies } from './copies.ts';
import { claimCopy } from './queries.ts';

const app = testApp();

type Mail = typeof mails.$inferSelect & { files: { name: string; contentType: string; body: Buffer }[] };

let people = 0;
const someone = () => `books-${(people += 1)}@accountant.example`;
/** What an address got, oldest first. */
async function inboxOf(email: string): Promise<Mail[]> {
  const all = (await app.context.db.select().from(mails)).filter(({ toAddress }) => toAddress === email);
  const files = await app.context.db.select().from(mailFiles);
  return all
    .toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
    .map((mail) => ({ ...mail, files: files.filter(({ mailId }) => mailId === mail.id) }));
}
const tokenIn = ({ textBody }: Mail, page: string) =>
  decodeURIComponent(new RegExp(`/bookkeeper/${page}\\?token=(\\S+)`).exec(textBody)![1]!);

const ask = (agent: Agent, email: string, teamId?: string) =>
  agent.put('/api/billing/bookkeeper').send({ email, ...(teamId && { teamId }) });
const press = (call: 'confirm' | 'stop', token: string) => app.agent().post(`/api/bookkeeper/${call}`).send({ token });
const addressOf = async (agent: Agent, teamId?: string) =>
  (await agent.get(`/api/billing/bookkeeper${teamId ? `?teamId=${teamId}` : ''}`).expect(200)).body as {
    email: string;
    confirmedAt: string | null;
  } | null;

/** Asks the address, and confirms as its holder would. */
async function confirmed(agent: Agent, email: string, teamId?: string): Promise<void> {
  await ask(agent, email, teamId).expect(200);
  await press('confirm', tokenIn((await inboxOf(email)).at(-1)!, 'confirm')).expect(200);
}
const settle = async () => {
  await app.sandbox!.deliverPending();
  await app.context.queue.drain();
};
const newestInvoice = async (userId: string) =>
  (await rowsOf(app, 'select * from invoices where user_id = $1 order by issued_at desc limit 1', [userId]))[0]!;

describe('the bookkeeper of an adviser', () => {
  it('gets nothing but the question before the address is confirmed, and then what was paid since it was asked', async () => {
    const { agent, user } = await app.signedIn({ firstName: 'Lena', lastName: 'Logan' });
    const email = someone();
    await buy(app, agent, 'pre-fill-ai');
    await settle();
    await pass(app, 60_000);
    expect((await ask(agent, email).expect(200)).body).toMatchObject({ email, confirmedAt: null });
    await buy(app, agent, 'risk-profile-ai');
    await settle();
    await mailCopies(app.context);
    const [question, ...more] = await inboxOf(email);
    expect(more).toEqual([]);
    expect(question!.subject).toBe('Get the receipts of Lena Logan?');
    expect(question!.files).toEqual([]);

    const told = await press('confirm', tokenIn(question!, 'confirm')).expect(200);
    expect((told.body as { message: string }).message).toBe(
      `Receipts and tax invoices of Lena Logan now come to ${email}, too.`,
    );
    expect((await addressOf(agent))!.confirmedAt).not.toBeNull();
    await mailCopies(app.context);
    await mailCopies(app.context);
    const [, copy, ...others] = await inboxOf(email);
    expect(others).toEqual([]);
    const invoice = await newestInvoice(user.id);
    const number = String(invoice['number']);
    expect(copy!.subject).toMatch(new RegExp(`^Tax invoice ${number}, Lena Logan$`));
    expect(copy!.textBody).toContain('Risk Profile AI');
    const [file] = copy!.files;
    expect(file).toMatchObject({ name: `tax-invoice-${number}.pdf`, contentType: 'application/pdf' });
    const text = textOfPdf(file!.body);
    for (const part of ['Tax invoice', number, 'Lena Logan', 'Risk Profile AI']) expect(text).toContain(part);
    const alert = await rowsOf(
      app,
      "select message from notifications where user_id = $1 and title = 'Your bookkeeper’s address is confirmed'",
      [user.id],
    );
    expect(alert).toHaveLength(1);
    expect(alert[0]!['message']).toContain(email);
  });

  it('gets each refund as an adjustment note', async () => {
    const { agent, user } = await app.signedIn();
    const email = someone();
    await confirmed(agent, email);
    await buy(app, agent, 'risk-profile-ai');
    await settle();
    await mailCopies(app.context);
    await app.sandbox!.controls.refundInvoice(String((await newestInvoice(user.id))['stripe_invoice_id']), 500);
    await settle();
    await mailCopies(app.context);
    const note = (await inboxOf(email)).at(-1)!;
    expect(note.subject).toMatch(/^Adjustment note \S+-CN-\d+$/);
    expect(textOfPdf(note.files[0]!.body)).toContain('Adjustment note');
  });

  it('gets a document once, when two replicas mail at the same moment', async () => {
    const { agent } = await app.signedIn();
    const email = someone();
    await confirmed(agent, email);
    await buy(app, agent, 'risk-profile-ai');
    await settle();
    await Promise.all([mailCopies(app.context), mailCopies(app.context)]);
    expect(await inboxOf(email)).toHaveLength(2);
  });

  it('gets it after all, when the process dies before the mail is written', async () => {
    const { agent, user } = await app.signedIn();
    const email = someone();
    await confirmed(agent, email);
    await buy(app, agent, 'risk-profile-ai');
    await settle();
    const [row] = await rowsOf(app, 'select id from bookkeepers where user_id = $1', [user.id]);
    const due = { documentId: String((await newestInvoice(user.id))['id']), bookkeeperId: String(row!['id']) };
    const dying = transaction(app.context.db, async (tx) => {
      await claimCopy(within(app.context, tx).db, due, app.context.now());
      throw new Error('killed');
    });
    await expect(dying).rejects.toThrow('killed');
    await mailCopies(app.context);
    expect(await inboxOf(email)).toHaveLength(2);
  });

  it.each(['by the page', 'by the mail program’s own button'])('stops with one press, %s', async (way) => {
    const { agent, user } = await app.signedIn();
    const email = someone();
    await confirmed(agent, email);
    await buy(app, agent, 'risk-profile-ai');
    await settle();
    await mailCopies(app.context);
    const copy = (await inboxOf(email)).at(-1)!;
    expect(copy.headers!['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click');
    const { pathname, search } = new URL(copy.headers!['List-Unsubscribe']!.slice(1, -1));
    if (way === 'by the page') await press('stop', tokenIn(copy, 'stop')).expect(200);
    else
      await app
        .agent()
        .post(pathname + search)
        .type('form')
        .send('List-Unsubscribe=One-Click')
        .expect(200);
    expect(await addressOf(agent)).toBeNull();
    await press('stop', tokenIn(copy, 'stop')).expect(200);
    await app.sandbox!.controls.refundInvoice(String((await newestInvoice(user.id))['stripe_invoice_id']), 500);
    await settle();
    await mailCopies(app.context);
    expect((await inboxOf(email)).at(-1)!.id).toBe(copy.id);
    const told = await rowsOf(
      app,
      "select 1 from mails where to_address = $1 and subject = 'Your bookkeeper gets no more copies'",
      [user.email],
    );
    expect(told).toHaveLength(1);
  });

  it('is replaced by another address, whose link alone then works', async () => {
    const { agent } = await app.signedIn();
    const [first, second] = [someone(), someone()];
    await ask(agent, first).expect(200);
    await ask(agent, second).expect(200);
    expect((await press('confirm', tokenIn((await inboxOf(first))[0]!, 'confirm'))).body).toMatchObject({
      code: 'email_link_invalid',
    });
    await press('confirm', tokenIn((await inboxOf(second))[0]!, 'confirm')).expect(200);
    expect(await addressOf(agent)).toMatchObject({ email: second });
    await agent.delete('/api/billing/bookkeeper').send({}).expect(200);
    expect(await addressOf(agent)).toBeNull();
  });

  it('can’t confirm by a link of eight days ago, nor by one that is made up', async () => {
    const { agent } = await app.signedIn();
    const email = someone();
    await ask(agent, email).expect(200);
    await app.clock.advance(8 * DAY);
    for (const token of [tokenIn((await inboxOf(email))[0]!, 'confirm'), 'made-up'])
      expect((await press('confirm', token).expect(400)).body).toMatchObject({ code: 'email_link_invalid' });
    for (const token of ['made-up', `${crypto.randomUUID()}.made-up`, ''])
      expect((await press('stop', token)).status).toBe(400);
  });
});

describe('nobody can have strangers mailed', () => {
  it('asks somebody who has not proved their own address to do so first', async () => {
    const { agent } = await app.signedIn({ emailVerified: false });
    const email = someone();
    expect((await ask(agent, email).expect(403)).body).toMatchObject({ code: 'verify_first' });
    expect(await inboxOf(email)).toEqual([]);
  });

  it('asks at most five times a day, and once for an address that has confirmed', async () => {
    const { agent } = await app.signedIn();
    const email = someone();
    await confirmed(agent, email);
    await ask(agent, email.toUpperCase()).expect(200);
    expect(await inboxOf(email)).toHaveLength(1);
    for (let count = 0; count < 4; count += 1) await ask(agent, someone()).expect(200);
    const next = someone();
    expect((await ask(agent, next).expect(429)).body).toMatchObject({ code: 'rate_limited' });
    expect(await inboxOf(next)).toEqual([]);
  });

  it.each(['nonsense', 'two@a.example, b@b.example', 'me'])('refuses %s by the field', async (given) => {
    const { agent, user } = await app.signedIn();
    const answer = await ask(agent, given === 'me' ? user.email.toUpperCase() : given).expect(400);
    expect(Object.keys((answer.body as { fields: object }).fields)).toEqual(['email']);
  });
});

describe('the bookkeeper of a practice', () => {
  it('is its owner’s to choose, and gets its documents alone', async () => {
    const owner = await app.signedIn();
    const { team } = await createTeam(app.context, { ownerId: owner.user.id, name: 'Riverside Advice' });
    const roles = ['admin', 'reviewer', 'member'] as const;
    for (const role of roles) {
      const other = await createUser(app.context, { membershipType: 'team' });
      await rowsOf(app, 'insert into team_members (team_id, user_id, role) values ($1, $2, $3)', [
        team.id,
        other.id,
        role,
      ]);
      const { agent } = await app.signIn(other.email);
      await ask(agent, someone(), team.id).expect(403);
      await agent.get(`/api/billing/bookkeeper?teamId=${team.id}`).expect(403);
      await agent.delete('/api/billing/bookkeeper').send({ teamId: team.id }).expect(403);
    }
    const stranger = await app.signedIn();
    await ask(stranger.agent, someone(), team.id).expect(404);

    const email = someone();
    await confirmed(owner.agent, email, team.id);
    expect(await addressOf(owner.agent)).toBeNull();
    await buy(app, owner.agent, 'pre-fill-ai');
    await buy(app, owner.agent, 'risk-profile-ai', 'pm_card_visa', { teamId: team.id });
    await settle();
    await mailCopies(app.context);
    const [question, copy, ...more] = await inboxOf(email);
    expect(question!.subject).toBe('Get the receipts of Riverside Advice?');
    expect(copy!.subject).toMatch(/, Riverside Advice$/);
    expect(copy!.textBody).toContain('Risk Profile AI');
    expect(more).toEqual([]);
  });

  it('stays with the practice at a hand-over; the new owner is told, and may remove it', async () => {
    const [owner, next] = [await app.signedIn(), await app.signedIn({ membershipType: 'team' })];
    const { team } = await createTeam(app.context, { ownerId: owner.user.id, name: 'Harbour Advice' });
    await rowsOf(app, "insert into team_members (team_id, user_id, role) values ($1, $2, 'member')", [
      team.id,
      next.user.id,
    ]);
    const email = someone();
    await confirmed(owner.agent, email, team.id);
    await handOver(owner.agent, next.agent, team.id, next.user.id);
    await owner.agent.get(`/api/billing/bookkeeper?teamId=${team.id}`).expect(403);
    expect(await addressOf(next.agent, team.id)).toMatchObject({ email });
    const told = (await inboxOf(next.user.email)).find(({ kind }) => kind === 'team-received');
    expect(told!.textBody).toContain('If the previous owner named a bookkeeper, they still get the team’s invoices');
    await next.agent.delete('/api/billing/bookkeeper').send({ teamId: team.id }).expect(200);
    expect(await addressOf(next.agent, team.id)).toBeNull();
  });
});
