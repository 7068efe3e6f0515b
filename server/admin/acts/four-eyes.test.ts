import { beforeAll, describe, expect, it } from 'vitest';
import type { approvalsApi } from '#shared/api/operators/approvals.ts';
import type { Reply } from '#shared/api/endpoint.ts';
import { createAdmin, createTeam, createUser, password } from '#server/testing/factories.ts';
import { administrator } from '#server/testing/administrator.ts';
import { buy, rowsOf } from '#server/testing/purchases.ts';
import { codeOf as appCode, enrolApp } from '#server/testing/second-factor.ts';
import { type Agent, testApp } from '#server/testing/test-app.ts';

const app = testApp({ FOUR_EYES: 'on', ADMIN_SECOND_FACTOR: 'on' });
const reason = 'A pilot practice';
const codeOf = ({ body }: { body: unknown }) => (body as { code: string }).code;

const signedIn = async (email: string, secret: string, typed = password) => {
  const agent = app.agent();
  await agent.post('/api/login').send({ email, password: typed }).expect(200);
  await agent
    .post('/api/login/code')
    .send({ code: appCode(secret) })
    .expect(200);
  return agent;
};

const writing = async (agent: Agent, user: { id: string; email: string }, secret: string) => {
  const { csrfToken } = (await agent.get('/api/admin/csrf-token').expect(200)).body as { csrfToken: string };
  const post = (path: string, values: object = {}) => agent.post(path).send({ ...values, _csrf: csrfToken });
  return { agent, user, secret, post };
};
type Admin = Awaited<ReturnType<typeof writing>>;

/** An administrator whose second factor is so many days old. */
async function withFactor(days: number): Promise<Admin> {
  const user = await createAdmin(app.context);
  const { agent } = await app.signIn(user.email);
  const { secret } = await enrolApp(agent);
  const old = `now() - interval '${days} days'`;
  await rowsOf(app, `update second_factors set created_at = ${old} where user_id = $1`, [user.id]);
  return writing(agent, user, secret);
}

/** They sign in once more. */
const again = async ({ user, secret }: Admin, typed?: string): Promise<Admin> =>
  writing(await signedIn(user.email, secret, typed), user, secret);

const list = async (admin: Admin) =>
  (await admin.agent.get('/api/admin/approvals').expect(200)).body as Reply<typeof approvalsApi.list>;
/** What this administrator is answered who approves what the other one asks for: another address of an adviser. */
async function approving(asker: Admin, approver: Admin): Promise<number | string> {
  const user = await createUser(app.context);
  const email = `moved-${user.id}@practice.example`;
  await asker.post(`/api/admin/users/${user.id}/email`, { email, reason }).expect(200);
  const waiting = (await list(approver)).approvals.find(({ subject }) => subject.id === user.id)!;
  const answer = await approver.post(`/api/admin/approvals/${waiting.id}/approve`);
  expect(waiting.mayApprove).toBe(answer.status === 200);
  if (waiting.whyNot !== null) expect(waiting.whyNot).toBe((answer.body as { message: string }).message);
  return answer.status === 200 ? 200 : codeOf(answer);
}

let first: Admin;
let second: Admin;
beforeAll(async () => {
  first = await withFactor(8);
  second = await withFactor(8);
});

describe('the second administrator', () => {
  it('has had a factor for seven days', async () => {
    expect(await approving(first, await withFactor(6))).toBe('approver_factor_new');
    expect(await approving(first, await withFactor(8))).toBe(200);
  });

  it('has been an administrator for seven days', async () => {
    const third = await withFactor(8);
    const made = (days: number) =>
      rowsOf(
        app,
        `insert into acts (kind, subject_id, parameters, reason, asked_by, asked_at, done_at)
         values ('make_admin', $1, '{}', 'A test', $2, now(), now() - interval '${days} days')`,
        [third.user.id, second.user.id],
      );
    await made(6);
    expect(await approving(first, third)).toBe('approver_too_new');
    await rowsOf(app, 'delete from acts where subject_id = $1', [third.user.id]);
    await made(8);
    expect(await approving(first, third)).toBe(200);
  });

  it('had no factors reset by the first within seven days', async () => {
    const third = await withFactor(8);
    await first.post('/api/admin/reset-factors', { userId: third.user.id }).expect(200);
    expect(await approving(first, third)).toBe('approver_handled');
    expect(await approving(third, first)).toBe('asker_handled');
    expect(await approving(second, third)).toBe(200);
    expect(await approving(third, second)).toBe(200);
  });

  it('was not reinstated by the first within seven days', async () => {
    const third = await withFactor(8);
    await first.post('/api/admin/suspend', { userId: third.user.id, reason }).expect(200);
    await first.post('/api/admin/reinstate', { userId: third.user.id, reason }).expect(200);
    const back = await again(third);
    expect(await approving(first, back)).toBe('approver_handled');
    expect(await approving(second, back)).toBe(200);
  });

  it('had no password set by the first, though another one approved it', async () => {
    const third = await withFactor(8);
    const newPassword = 'Brave-Otter-42';
    await first.post('/api/admin/reset-password', { userId: third.user.id, newPassword, reason }).expect(200);
    const { id } = (await list(second)).approvals.find(({ subject }) => subject.id === third.user.id)!;
    await second.post(`/api/admin/approvals/${id}/approve`).expect(200);
    expect(await approving(first, await again(third, newPassword))).toBe('approver_handled');
  });
});

describe('nobody', () => {
  it('approves what concerns their own team', async () => {
    const { agent, user } = await app.signedIn();
    const { team } = await createTeam(app.context, { ownerId: user.id, maxMembers: 19, members: 18 });
    await buy(app, agent, 'risk-profile-ai', 'pm_card_visa', { teamId: team.id });
    await app.sandbox!.deliverPending();
    await app.context.queue.drain();
    const third = await withFactor(8);
    await rowsOf(
      app,
      "update team_members set user_id = $2 where team_id = $1 and role = 'member' and user_id = (select user_id from team_members where team_id = $1 and role = 'member' limit 1)",
      [team.id, third.user.id],
    );
    const [invoice] = await rowsOf(app, 'select id, total_cents as total from invoices where team_id = $1', [team.id]);
    const refund = { cents: Number(invoice!['total']), leftCents: Number(invoice!['total']), reason };
    const path = `/api/admin/invoices/${String(invoice!['id'])}/refund`;
    // Nor does anybody refund their own team, however little.
    expect(codeOf(await third.post(path, { ...refund, cents: 100 }).expect(409))).toBe('own_favour');
    await first.post(path, refund).expect(200);
    const { id } = (await list(third)).approvals.find(({ subject }) => subject.id === team.id)!;
    expect(codeOf(await third.post(`/api/admin/approvals/${id}/approve`).expect(409))).toBe('approves_for_self');
    await second.post(`/api/admin/approvals/${id}/approve`).expect(200);
  });
});

describe('an administrator who suspends another', () => {
  it('has it told to all administrators, and then makes nobody an administrator alone', async () => {
    const third = await withFactor(8);
    await first.post('/api/admin/suspend', { userId: third.user.id, reason }).expect(200);
    for (const { email } of [first.user, second.user]) {
      const [mail] = await rowsOf(
        app,
        "select text_body as text from mails where to_address = $1 and kind = 'administrators-changed'",
        [email],
      );
      expect(mail!['text']).toContain(`The reason: ${reason}`);
    }
    // A suspended administrator's password waits for a second one, too.
    const set = { userId: third.user.id, newPassword: 'Fresh-Start-2026', reason };
    const waits = { message: 'It waits for a second administrator, who was told by email.' };
    expect((await first.post('/api/admin/reset-password', set).expect(200)).body).toEqual(waits);

    await first.post('/api/admin/suspend', { userId: second.user.id, reason }).expect(200);
    await rowsOf(app, 'update users set suspended_at = now(), suspended_for = $2 where is_admin and id <> $1', [
      first.user.id,
      reason,
    ]);
    const user = await createUser(app.context);
    const make = () => first.post(`/api/admin/users/${user.id}/administrator`, { reason });
    const answer = await make().expect(200);
    expect((answer.body as { message: string }).message).toContain('It waits for a second administrator');
    expect(await rowsOf(app, 'select is_admin from users where id = $1', [user.id])).toEqual([{ is_admin: false }]);
    // Whoever is left alone reads what to do.
    expect((await list(first)).note).toContain('Whoever runs the server can make a second admin');
  });
});

describe('the administrator of a server that never had two', () => {
  const young = testApp({ FOUR_EYES: 'on' });
  const fresh = testApp({ FOUR_EYES: 'on' });

  it('makes a second one alone, and may try again after undoing it', async () => {
    const only = await administrator(young);
    const make = async () => {
      const user = await createUser(young.context);
      return (await only.post(`/api/admin/users/${user.id}/administrator`, { reason }).expect(200)).body as object;
    };
    const { agent } = only;
    const before = (await agent.get('/api/admin/approvals').expect(200)).body as Reply<typeof approvalsApi.list>;
    expect(before.note).toContain('they can approve requests after seven days');
    const adviser = await createUser(young.context);
    const moved = { email: `moved-${adviser.id}@practice.example`, reason };
    const waits = await only.post(`/api/admin/users/${adviser.id}/email`, moved).expect(200);
    expect((waits.body as { message: string }).message).toContain('Approvals says how to get one');
    expect(await make()).toEqual({ message: 'The user is an administrator now.' });
    const { approvals } = (await agent.get('/api/admin/approvals').expect(200)).body as Reply<typeof approvalsApi.list>;
    await only
      .post(`/api/admin/approvals/${approvals.find(({ kind }) => kind === 'make_admin')!.id}/undo`, { reason })
      .expect(200);
    expect(await make()).toEqual({ message: 'The user is an administrator now.' });
    expect(await make()).toEqual({ message: 'It waits for a second administrator, who was told by email.' });
  });

  it('is no second person for whom they made: what that one asks for waits for seven days', async () => {
    const only = await administrator(fresh);
    const made = await createUser(fresh.context);
    await only.post(`/api/admin/users/${made.id}/administrator`, { reason }).expect(200);
    const puppet = await writing((await fresh.signIn(made.email)).agent, made, '');
    const adviser = await createUser(fresh.context);
    const moved = { email: `moved-${adviser.id}@practice.example`, reason };
    await puppet.post(`/api/admin/users/${adviser.id}/email`, moved).expect(200);
    const { approvals } = (await only.agent.get('/api/admin/approvals').expect(200)).body as Reply<
      typeof approvalsApi.list
    >;
    const { id, mayApprove } = approvals.find(({ subject }) => subject.id === adviser.id)!;
    const approve = () => only.post(`/api/admin/approvals/${id}/approve`);
    expect([mayApprove, codeOf(await approve())]).toEqual([false, 'asker_handled']);
    await rowsOf(fresh, "update acts set done_at = done_at - interval '7 days' where kind = 'make_admin'");
    await approve().expect(200);
  });
});
