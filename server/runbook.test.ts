import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createAdmin } from '#server/testing/factories.ts';
import { password } from '#server/testing/newcomer.ts';
import { enrolApp } from '#server/testing/second-factor.ts';
import { testApp } from '#server/testing/test-app.ts';

const app = testApp();
const text = fs.readFileSync(path.join(import.meta.dirname, 'RUNBOOK.md'), 'utf8');
const blocks = [...text.matchAll(/```sql\n([\s\S]+?)```/g)].map(([, sql]) => sql!);
const [endSessions, trail, demote, stopResets, freeAdmin, second] = blocks as [
  string,
  string,
  string,
  string,
  string,
  string,
];

/** Fills the variable in as psql does, as quoted text. */
const run = async (sql: string, email: string) => {
  const done = await app.context.db.$client.query<Record<string, unknown>>(sql.replaceAll(":'email'", `'${email}'`));
  return [done].flat();
};

test('the runbook has these blocks of SQL', () => expect(blocks).toHaveLength(6));

test('one person’s sessions and keys end, and the trail tells what they did', async () => {
  const { agent, user } = await app.signedIn();
  const other = await app.signedIn();
  await run(endSessions, user.email.toUpperCase());
  await agent.get('/api/user').expect(401);
  await other.agent.get('/api/user').expect(200);
  const [answer] = await run(trail, user.email);
  expect(answer!.rows.map(({ action, actor_id }) => [action, actor_id])).toEqual([['account.signed_in', user.id]]);
});

test('an administrator loses rights and sessions at once, and the resets they began', async () => {
  const admin = await createAdmin(app.context);
  const { agent } = await app.signIn(admin.email);
  const { user } = await app.signedIn();
  await agent.get('/api/admin/subscriber-stats').expect(200);
  await app.context.db.$client.query('insert into factor_resets (user_id, due_at) values ($1, now())', [user.id]);
  await run(demote, admin.email);
  await agent.get('/api/admin/subscriber-stats').expect(401);
  const again = await app.signIn(admin.email);
  await again.agent.get('/api/admin/subscriber-stats').expect(403);
  const [stopped] = await run(stopResets, admin.email);
  expect(stopped!.rows).toEqual([expect.objectContaining({ user_id: user.id })]);
});

test('an only administrator without factor and codes gets in with the password', async () => {
  const admin = await createAdmin(app.context);
  const { agent } = await app.signIn(admin.email);
  await enrolApp(agent);
  await run(freeAdmin, admin.email);
  const { body } = await app.agent().post('/api/login').send({ email: admin.email, password: password }).expect(200);
  expect(body).toMatchObject({ email: admin.email });
});

test('a verified person becomes a second administrator, who signs in anew', async () => {
  const { agent, user } = await app.signedIn();
  const unverified = await app.signedIn({ emailVerified: false });
  await run(second, user.email);
  await run(second, unverified.user.email);
  await agent.get('/api/user').expect(401);
  await (await app.signIn(user.email)).agent.get('/api/admin/subscriber-stats').expect(200);
  await unverified.agent.get('/api/admin/subscriber-stats').expect(403);
});
