import { beforeAll, describe, expect, it } from 'vitest';
import type { Approval, approvalsApi } from '#shared/api/operators/approvals.ts';
import type { AdministeredInvoice } from '#shared/api/operators/acts.ts';
import type { Reply } from '#shared/api/endpoint.ts';
import { undoMs } from '#shared/rules/operators/admin.ts';
import { hour } from '#shared/rules/dates.ts';
import { administrator } from '#server/testing/administrator.ts';
import { createAdmin, createTeam, createUser, password } from '#server/testing/factories.ts';
import { buy, rowsOf } from '#server/testing/purchases.ts';
import { testApp } from '#server/testing/test-app.ts';
import { createDatabase } from '#server/platform/data/database.ts';
import { finishAct } from './carry-out.ts';
import { kinds } from './kinds.ts';
import { listApprovals } from './list.ts';

type Admin = Awaited<ReturnType<typeof administrator>>;

const app = testApp({ FOUR_EYES: 'on' });
let first: Admin;
let second: Admin;
beforeAll(async () => {
  first = await administrator(app);
  second = await administrator(app);
});

const reason = 'A pilot practice';
const codeOf = ({ body }: { body: unknown }) => (body as { code: string }).code;
const list = async (admin: Admin) =>
  (await admin.agent.get('/api/admin/approvals').expect(200)).body as Reply<typeof approvalsApi.list>;
const waiting = async (admin: Admin, subjectId: string): Promise<Approval> =>
  (await list(admin)).approvals.find(({ subject }) => subject.id === subjectId)!;
const userRow = async (id: string) => (await rowsOf(app, 'select * from users where id = $1', [id]))[0]!;
const mailsTo = (email: string, kind: string) =>
  rowsOf(app, 'select text_body as text from mails where to_address = $1 and kind = $2', [email, kind]);
const acts = async (userId: string) =>
  (
    (await first.agent.get(`/api/admin/users/${userId}/timeline?kind=act`).expect(200)).body as {
      rows: { sentence: string }[];
    }
  ).rows.map(({ sentence }) => sentence);

const movedTo = (userId: string) => `moved-${userId}@practice.example`;
/** Asks for another address of this person, which waits. */
const ask = async (admin: Admin, userId: string) => {
  await admin.post(`/api/admin/users/${userId}/email`, { email: movedTo(userId), reason }).expect(200);
  return waiting(admin, userId);
};
const decide = (admin: Admin, id: string, how: 'approve' | 'refuse' | 'undo') =>
  admin.post(`/api/admin/approvals/${id}/${how}`, how === 'approve' ? {} : { reason });

describe('a change of address', () => {
  it('waits for a second administrator, who is told; approval makes it, and undoing ends it', async () => {
    const user = await createUser(app.context);
    const answer = await first
      .post(`/api/admin/users/${user.id}/email`, { email: movedTo(user.id), reason })
      .expect(200);
    expect(answer.body).toEqual({ message: 'It waits for a second administrator, who was told by email.' });
    expect((await userRow(user.id))['email']).toBe(user.email);
    const [mail] = await mailsTo(second.user.email, 'approval-waits');
    const sentence = `Alex Nguyen asks to change the email address of Alex Nguyen to ${movedTo(user.id)}.`;
    expect(mail!['text']).toContain(sentence);
    expect(await mailsTo(first.user.email, 'approval-waits')).toEqual([]);

    const own = await waiting(first, user.id);
    expect(own).toMatchObject({ mayApprove: false, whyNot: expect.stringContaining('You asked for it yourself') });
    expect(codeOf(await decide(first, own.id, 'approve').expect(409))).toBe('approves_own');
    const theirs = { mayApprove: true, whyNot: null, reason, state: 'waiting', sentence };
    expect(await waiting(second, user.id)).toMatchObject(theirs);

    await decide(second, own.id, 'approve').expect(200);
    expect((await userRow(user.id))['email']).toBe(movedTo(user.id));
    expect(await waiting(first, user.id)).toMatchObject({ state: 'approved', mayUndo: true });
    expect(codeOf(await decide(second, own.id, 'approve').expect(409))).toBe('approval_settled');

    await decide(first, own.id, 'undo').expect(200);
    expect((await userRow(user.id))['email']).toBe(user.email);
    expect(codeOf(await decide(first, own.id, 'undo').expect(409))).toBe('approval_settled');
    expect(await acts(user.id)).toEqual([
      `Alex Nguyen undid the decision to change the email address of Alex Nguyen: “${reason}”.`,
      `Alex Nguyen put the email address of Alex Nguyen back: “${reason}”.`,
      `Alex Nguyen changed the email address of Alex Nguyen: “${reason}”.`,
      `Alex Nguyen approved what Alex Nguyen asked, to change the email address of Alex Nguyen: “${reason}”.`,
      `Alex Nguyen asked a second administrator to change the email address of Alex Nguyen: “${reason}”.`,
    ]);
  });

  it('needs a reason, waits once, and is approved once, however many press', async () => {
    const user = await createUser(app.context);
    const path = `/api/admin/users/${user.id}/email`;
    const without = await first.post(path, { email: movedTo(user.id), reason: '' }).expect(400);
    expect(without.body).toMatchObject({ fields: { reason: 'Please give a reason; the user reads it' } });
    const { id } = await ask(first, user.id);
    const again = await second.post(path, { email: movedTo(user.id), reason }).expect(409);
    expect(codeOf(again)).toBe('approval_waits');
    const answers = await Promise.all(Array.from({ length: 5 }, () => decide(second, id, 'approve')));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409]);
    expect(await mailsTo(user.email, 'email-moved')).toHaveLength(1);
  });

  it('ends where the other administrator refuses it, its author takes it back, or a week goes by', async () => {
    const user = await createUser(app.context);
    const { id } = await ask(first, user.id);
    await decide(second, id, 'refuse').expect(200);
    expect(await waiting(first, user.id)).toMatchObject({ state: 'refused', mayUndo: false });
    expect(codeOf(await decide(second, id, 'approve').expect(409))).toBe('approval_settled');

    const other = await createUser(app.context);
    const taken = await ask(first, other.id);
    await decide(first, taken.id, 'refuse').expect(200);
    expect((await waiting(first, other.id)).outcome).toMatch(/^It was taken back/);

    const late = await createUser(app.context);
    const old = await ask(first, late.id);
    await rowsOf(app, "update acts set expires_at = now() - interval '1 minute' where id = $1", [old.id]);
    expect(await waiting(second, late.id)).toMatchObject({ state: 'expired', mayApprove: false });
    expect(codeOf(await decide(second, old.id, 'approve').expect(409))).toBe('approval_settled');
    // It makes way for another.
    expect(await ask(first, late.id)).toMatchObject({ state: 'waiting' });
  });

  it('is approved neither by whom it concerns nor by somebody who is no administrator any more', async () => {
    const { id } = await ask(first, second.user.id);
    expect(codeOf(await decide(second, id, 'approve').expect(409))).toBe('approves_for_self');
    await decide(first, id, 'refuse').expect(200);
    const third = await administrator(app);
    const user = await createUser(app.context);
    const asked = await ask(third, user.id);
    await first.post('/api/admin/suspend', { userId: third.user.id, reason }).expect(200);
    expect(codeOf(await decide(second, asked.id, 'approve').expect(409))).toBe('asker_gone');
    expect((await userRow(user.id))['email']).toBe(user.email);
  });

  it('can be undone for a day', async () => {
    const user = await createUser(app.context);
    const { id } = await ask(first, user.id);
    await decide(second, id, 'approve').expect(200);
    await rowsOf(app, "update acts set done_at = done_at - interval '24 hours' where id = $1", [id]);
    expect(await waiting(first, user.id)).toMatchObject({ mayUndo: false });
    expect(codeOf(await decide(first, id, 'undo').expect(409))).toBe('undo_over');
    expect(undoMs).toBe(24 * hour);
  });

  it('is undone for whoever has joined or left a practice since as they are now', async () => {
    const [joins, leaves] = [await createUser(app.context), await createUser(app.context, { membershipType: 'team' })];
    for (const [{ id }, since] of [
      [joins, 'team'],
      [leaves, 'standard'],
    ] as const) {
      const asked = await ask(first, id);
      await decide(second, asked.id, 'approve').expect(200);
      await rowsOf(app, 'update users set membership_type = $2 where id = $1', [id, since]);
      await decide(first, asked.id, 'undo').expect(200);
      expect(await userRow(id)).toMatchObject({ membership_type: since, email_verified: true });
    }
  });

  it('still waits here when it was asked for on the release before', async () => {
    const user = await createUser(app.context);
    await rowsOf(
      app,
      `insert into approvals (kind, subject_id, parameters, reason, asked_by, asked_at, expires_at)
       values ('change_email', $1, $2, $3, $4, now(), now() + interval '7 days')`,
      [user.id, { email: movedTo(user.id) }, reason, first.user.id],
    );
    const asked = await waiting(second, user.id);
    expect(asked).toMatchObject({ state: 'waiting', mayApprove: true });
    await decide(second, asked.id, 'approve').expect(200);
    expect((await userRow(user.id))['email']).toBe(movedTo(user.id));
  });
});

describe('free access', () => {
  const grant = (admin: Admin, userId: string, values: object = { reason }) =>
    admin.post('/api/admin/grant-free-access', { userId, ...values });

  it('is granted at once, with a reason, and can be undone for a day', async () => {
    const user = await createUser(app.context);
    const without = await grant(first, user.id, {}).expect(400);
    expect(without.body).toMatchObject({ fields: { reason: 'Please give a reason; the user reads it' } });
    const answer = await grant(first, user.id).expect(200);
    expect(answer.body).toEqual({ message: 'Free access granted' });
    expect((await userRow(user.id))['free_access_granted']).toBe(true);
    const given = await waiting(second, user.id);
    expect(given).toMatchObject({ state: 'approved', mayUndo: true, mayApprove: false, expiresAt: null });
    expect(given.outcome).toMatch(/^It needed no second administrator, and was done on .+\.$/);
    await decide(second, given.id, 'undo').expect(200);
    expect((await userRow(user.id))['free_access_granted']).toBe(false);
    expect(await acts(user.id)).toEqual([
      `Alex Nguyen undid the decision to give Alex Nguyen free access: “${reason}”.`,
      'Alex Nguyen ended the free access of Alex Nguyen.',
      'Alex Nguyen gave Alex Nguyen free access.',
    ]);
  });

  it('that was taken away and granted again is not undone with the first grant', async () => {
    const user = await createUser(app.context);
    await grant(first, user.id).expect(200);
    const given = await waiting(first, user.id);
    await first.post('/api/admin/revoke-free-access', { userId: user.id }).expect(200);
    await grant(second, user.id).expect(200);
    expect(codeOf(await decide(first, given.id, 'undo').expect(409))).toBe('conflict');
    expect((await userRow(user.id))['free_access_granted']).toBe(true);
    const again = (await list(first)).approvals.find(({ id, subject }) => subject.id === user.id && id !== given.id)!;
    await decide(first, again.id, 'undo').expect(200);
    expect((await userRow(user.id))['free_access_granted']).toBe(false);
  });

  it('is never given to oneself or somebody in one’s own team', async () => {
    const colleague = await createUser(app.context);
    const { team } = await createTeam(app.context, { ownerId: colleague.id });
    await rowsOf(app, "insert into team_members (team_id, user_id, role) values ($1, $2, 'member')", [
      team.id,
      second.user.id,
    ]);
    for (const userId of [second.user.id, colleague.id])
      expect(codeOf(await grant(second, userId).expect(409))).toBe('own_favour');
    expect((await userRow(colleague.id))['free_access_granted']).toBe(false);
    await grant(first, colleague.id).expect(200);
  });
});

describe('the password of another administrator', () => {
  const newPassword = 'Fresh-Start-2026';
  const set = (admin: Admin, userId: string, values: object = { reason }) =>
    admin.post('/api/admin/reset-password', { userId, newPassword, ...values });
  const signsIn = async (email: string, typed: string) =>
    (await app.agent().post('/api/login').send({ email, password: typed })).status === 200;
  const hashes = (userId: string) =>
    rowsOf(app, "select 1 from acts where subject_id = $1 and parameters <> '{}'", [userId]);

  it('is set once a second one approves, and its hash is in the account alone', async () => {
    const third = await administrator(app);
    expect((await set(first, third.user.id, {}).expect(400)).body).toMatchObject({
      fields: { reason: expect.stringContaining('reason') },
    });
    expect((await set(first, third.user.id).expect(200)).body).toEqual({
      message: 'It waits for a second administrator, who was told by email.',
    });
    expect(await signsIn(third.user.email, password)).toBe(true);
    const { id, sentence } = await waiting(second, third.user.id);
    expect(sentence).toBe('Alex Nguyen asks to set the password of Alex Nguyen.');
    expect(codeOf(await decide(third, id, 'approve').expect(409))).toBe('approves_for_self');
    await decide(second, id, 'approve').expect(200);
    expect(await signsIn(third.user.email, newPassword)).toBe(true);
    expect(codeOf(await decide(first, id, 'undo').expect(409))).toBe('cannot_undo');
    expect(await hashes(third.user.id)).toEqual([]);
  });

  it('stays where the second one refuses; an adviser’s is set at once', async () => {
    const third = await administrator(app);
    await set(first, third.user.id).expect(200);
    await decide(second, (await waiting(second, third.user.id)).id, 'refuse').expect(200);
    expect(await signsIn(third.user.email, password)).toBe(true);
    expect(await hashes(third.user.id)).toEqual([]);
    const adviser = await createUser(app.context);
    expect((await set(first, adviser.id, {}).expect(200)).body).toEqual({ message: 'Password reset successfully' });
    expect(await signsIn(adviser.email, newPassword)).toBe(true);
  });

  it('is set for nobody who has closed their account meanwhile', async () => {
    const third = await administrator(app);
    await set(first, third.user.id).expect(200);
    await third.agent.post('/api/user/close-account').send({ password }).expect(200);
    const { id } = await waiting(second, third.user.id);
    expect(codeOf(await decide(second, id, 'approve').expect(404))).toBe('user_not_found');
    await decide(second, id, 'refuse').expect(200);
  });
});

describe('a new administrator', () => {
  it('has rights once a second one approves, and may approve after seven days; undoing takes the rights away', async () => {
    const { agent, user } = await app.signedIn();
    await first.post(`/api/admin/users/${user.id}/administrator`, { reason }).expect(200);
    expect((await userRow(user.id))['is_admin']).toBe(false);
    const { id } = await waiting(second, user.id);
    await decide(second, id, 'approve').expect(200);
    expect((await userRow(user.id))['is_admin']).toBe(true);
    await agent.get('/api/user').expect(401);
    expect(await mailsTo(user.email, 'administrators-changed')).toHaveLength(1);
    expect(await mailsTo(first.user.email, 'administrators-changed')).not.toEqual([]);

    const again = await app.signIn(user.email);
    const { csrfToken } = (await again.agent.get('/api/admin/csrf-token').expect(200)).body as { csrfToken: string };
    const adviser = await createUser(app.context);
    const other = await ask(first, adviser.id);
    const early = await again.agent.post(`/api/admin/approvals/${other.id}/approve`).send({ _csrf: csrfToken });
    expect(codeOf(early)).toBe('approver_too_new');

    await decide(second, id, 'undo').expect(200);
    expect((await userRow(user.id))['is_admin']).toBe(false);
    await again.agent.get('/api/admin/csrf-token').expect(401);
  });

  it('is nobody who is unverified or an administrator already', async () => {
    const ask = async (id: string) => codeOf(await first.post(`/api/admin/users/${id}/administrator`, { reason }));
    expect(await ask((await createUser(app.context, { emailVerified: false })).id)).toBe('user_unverified');
    expect(await ask(second.user.id)).toBe('already_admin');
  });
});

describe('another address', () => {
  it('is unverified at first, told to both addresses, and put back within a day', async () => {
    const { agent, user } = await app.signedIn();
    const email = `moved-${user.id}@practice.example`;
    const path = `/api/admin/users/${user.id}/email`;
    await first.post(path, { email: user.email, reason }).expect(400);
    expect(codeOf(await first.post(path, { email: second.user.email, reason }).expect(409))).toBe('email_taken');
    await first.post(path, { email, reason }).expect(200);
    const { id, sentence } = await waiting(second, user.id);
    expect(sentence).toBe(`Alex Nguyen asks to change the email address of Alex Nguyen to ${email}.`);
    await decide(second, id, 'approve').expect(200);
    expect(await userRow(user.id)).toMatchObject({ email, email_verified: false });
    await agent.get('/api/user').expect(401);
    for (const address of [user.email, email]) {
      const [mail] = await mailsTo(address, 'email-moved');
      expect(mail!['text']).toContain(`from ${user.email} to ${email}. The reason: ${reason}`);
    }
    expect(await mailsTo(email, 'verification')).toHaveLength(1);
    await app.agent().post('/api/login').send({ email, password }).expect(200);
    // The old address stays reserved for its owner, so that nobody else can take it.
    const taker = await app.signedIn();
    const other = `/api/admin/users/${taker.user.id}/email`;
    expect(codeOf(await first.post(other, { email: user.email, reason }).expect(409))).toBe('email_taken');

    await decide(first, id, 'undo').expect(200);
    expect(await userRow(user.id)).toMatchObject({ email: user.email, email_verified: true });
    expect(await acts(user.id)).toContain(`Alex Nguyen put the email address of Alex Nguyen back: “${reason}”.`);
    await first.post(other, { email, reason }).expect(200);
  });
});

describe('a refund', () => {
  /** A practice of nineteen pays $570.00. */
  async function paidMuch() {
    const { agent, user } = await app.signedIn();
    const { team } = await createTeam(app.context, { ownerId: user.id, maxMembers: 19, members: 18 });
    await buy(app, agent, 'risk-profile-ai', 'pm_card_visa', { teamId: team.id });
    await app.sandbox!.deliverPending();
    await app.context.queue.drain();
    const [invoice] = await rowsOf(app, 'select id, total_cents as total from invoices where team_id = $1', [team.id]);
    return { agent, user, team, id: String(invoice!['id']), total: Number(invoice!['total']) };
  }
  const left = async (id: string) =>
    ((await first.agent.get(`/api/admin/invoices/${id}/outlook`).expect(200)).body as { leftCents: number }).leftCents;

  it('of up to $200.00 is made by one administrator; beyond it, also in parts, a second one makes it, once', async () => {
    const { user, team, id, total } = await paidMuch();
    const path = `/api/admin/invoices/${id}/refund`;
    await first.post(path, { cents: 200_00, leftCents: total, reason }).expect(200);
    expect(await left(id)).toBe(total - 200_00);
    const more = await first.post(path, { cents: 1_00, leftCents: total - 200_00, reason }).expect(200);
    expect(more.body).toEqual({ message: 'It waits for a second administrator, who was told by email.' });
    expect(await left(id)).toBe(total - 200_00);
    const asked = await waiting(second, team.id);
    expect(asked).toMatchObject({ kind: 'refund', subject: { type: 'team', id: team.id } });
    await decide(second, asked.id, 'approve').expect(200);
    // The job that checks whether it was done finds that it was.
    await finishAct(app.context, asked.id, kinds);
    expect(await left(id)).toBe(total - 201_00);
    expect(await mailsTo(user.email, 'refund')).toHaveLength(2);
    expect((await waiting(first, team.id)).outcome).toMatch(/ It can’t be undone\.$/);
    expect(codeOf(await decide(first, asked.id, 'undo').expect(409))).toBe('cannot_undo');
  });

  it('is carried out by the job, once, after a crash; where Stripe refuses, it says so', async () => {
    const { team, id, total } = await paidMuch();
    const path = `/api/admin/invoices/${id}/refund`;
    await first.post(path, { cents: 250_00, leftCents: total, reason }).expect(200);
    const asked = await waiting(second, team.id);
    await decide(second, asked.id, 'approve').expect(200);
    await rowsOf(app, 'update acts set done_at = null where id = $1', [asked.id]);
    await finishAct(app.context, asked.id, kinds);
    expect(await left(id)).toBe(total - 250_00);

    await first.post(path, { cents: total - 250_00, leftCents: total - 250_00, reason }).expect(200);
    const rest = await waiting(second, team.id);
    const [known] = await rowsOf(app, 'select stripe_invoice_id as id from invoices where id = $1', [id]);
    await app.sandbox!.controls.refundInvoice(String(known!['id']), 1000);
    expect(codeOf(await decide(second, rest.id, 'approve').expect(409))).toBe('refund_refused');
    expect((await waiting(first, team.id)).outcome).toContain('it could not be done: Stripe refused this refund');
    expect(await left(id)).toBe(total - 260_00);
  });

  it('waits while another act on its invoice is under way', async () => {
    const { team, id, total } = await paidMuch();
    await first.post(`/api/admin/invoices/${id}/refund`, { cents: total, leftCents: total, reason }).expect(200);
    const asked = await waiting(second, team.id);
    const [other] = await rowsOf(
      app,
      `insert into acts (kind, subject_id, parameters, reason, asked_by, asked_at)
       values ('void_invoice', $1, '{}', 'A test', $2, now()) returning id`,
      [id, first.user.id],
    );
    expect(codeOf(await decide(second, asked.id, 'approve').expect(409))).toBe('act_under_way');
    expect(await waiting(second, team.id)).toMatchObject({ state: 'waiting', mayApprove: true });
    await rowsOf(app, "update acts set failure = 'A test' where id = $1", [other!['id']]);
    await decide(second, asked.id, 'approve').expect(200);
    expect(await left(id)).toBe(0);
  });

  it('is not tried again where its invoice is gone, and says so', async () => {
    const { team, id, total } = await paidMuch();
    await first.post(`/api/admin/invoices/${id}/refund`, { cents: total, leftCents: total, reason }).expect(200);
    const asked = await waiting(second, team.id);
    await rowsOf(app, 'update acts set subject_id = gen_random_uuid() where id = $1', [asked.id]);
    expect(codeOf(await decide(second, asked.id, 'approve').expect(404))).toBe('invoice_not_found');
    await finishAct(app.context, asked.id, kinds);
    expect((await waiting(first, team.id)).outcome).toContain('it could not be done: This invoice does not exist.');
  });
});

it('the list reads any number of waiting requests with as many queries as one', async () => {
  // Connections of its own, so that nobody else's queries count.
  const db = createDatabase(app.database.url, app.context.log);
  let queries = 0;
  db.$client.on('acquire', () => void (queries += 1));
  const queriesOfList = async () => {
    queries = 0;
    const caller = { actorId: second.user.id, ip: undefined };
    const { approvals } = await listApprovals({ ...app.context, db, caller });
    return { queries, waits: approvals.filter(({ mayApprove }) => mayApprove).length };
  };
  await ask(first, (await createUser(app.context)).id);
  const before = await queriesOfList();
  for (let more = 0; more < 3; more += 1) await ask(first, (await createUser(app.context)).id);
  expect(await queriesOfList()).toEqual({ queries: before.queries, waits: before.waits + 3 });
  await db.$client.end();
});

it('the list shows nothing to others, and hides an administrator’s own invoices from them', async () => {
  const { agent } = await app.signedIn();
  await agent.get('/api/admin/approvals').expect(403);
  const admin = await createAdmin(app.context);
  const { body } = await first.agent.get(`/api/admin/users/${admin.id}/invoices`).expect(200);
  expect(body as AdministeredInvoice[]).toEqual([]);
});
