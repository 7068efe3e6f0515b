import { eq, sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { emailChanges, emailVerificationTokens, passwordResetTokens, sessions } from '#shared/schema/accounts.ts';
import { rememberedDevices } from '#shared/schema/factors.ts';
import { rateLimits } from '#shared/schema/platform.ts';
import { createUser } from '#server/testing/factories.ts';
import { testApp } from '#server/testing/test-app.ts';
import { pruneAccounts } from './jobs.ts';

const app = testApp();

const hours = (count: number) => new Date(app.context.now().getTime() + count * 3_600_000);

it('removes what can never be used again, and nothing else', async () => {
  const { db } = app.context;
  const { id: userId } = await createUser(app.context);
  await db.insert(sessions).values([
    { sid: 'live', sess: {}, expire: hours(1) },
    { sid: 'just-signed-out', sess: {}, expire: hours(20), destroyedAt: hours(-1) },
    { sid: 'ran-out-today', sess: {}, expire: hours(-23) },
    { sid: 'signed-out-long-ago', sess: {}, expire: hours(-25), destroyedAt: hours(-48) },
    { sid: 'ran-out-long-ago', sess: {}, expire: hours(-25) },
  ]);
  await db.insert(emailVerificationTokens).values([
    { userId, token: 'live', expiresAt: hours(1) },
    { userId, token: 'over', expiresAt: hours(-1) },
  ]);
  await db.insert(passwordResetTokens).values([
    { userId, token: 'live', expiresAt: hours(1) },
    { userId, token: 'used', expiresAt: hours(1), used: true },
    { userId, token: 'over', expiresAt: hours(-1) },
  ]);
  await db.insert(rateLimits).values([
    { key: 'counting', points: 1, expire: hours(1).getTime() },
    { key: 'over', points: 1, expire: hours(-1).getTime() },
  ]);

  const change = { userId, fromEmail: 'a@practice.example', toEmail: 'b@practice.example', expiresAt: hours(-1) };
  await db.insert(emailChanges).values([
    { ...change, token: 'over' },
    { ...change, token: 'confirmed', confirmedAt: hours(-2) },
  ]);
  const device = { userId, authEpoch: 0, device: 'Firefox' };
  await db.insert(rememberedDevices).values([
    { ...device, token: 'live', expiresAt: hours(1) },
    { ...device, token: 'over', expiresAt: hours(-1) },
  ]);

  const counts = { sessions: 2, verifications: 1, resets: 2, emailChanges: 1, devices: 1, limits: 1 };
  expect(await pruneAccounts(app.context)).toEqual(counts);
  expect((await db.select().from(emailChanges)).map(({ token }) => token)).toEqual(['confirmed']);
  expect((await db.select().from(rememberedDevices)).map(({ token }) => token)).toEqual(['live']);

  const left = await db.select({ sid: sessions.sid }).from(sessions);
  expect(left.map((row) => row.sid).toSorted()).toEqual(['just-signed-out', 'live', 'ran-out-today']);
  const verification = await db
    .select()
    .from(emailVerificationTokens)
    .where(eq(emailVerificationTokens.userId, userId));
  expect(verification.map((row) => row.token)).toEqual(['live']);
  const reset = await db.select().from(passwordResetTokens).where(eq(passwordResetTokens.userId, userId));
  expect(reset.map((row) => row.token)).toEqual(['live']);
  expect((await db.select().from(rateLimits)).map((row) => row.key)).toEqual(['counting']);
});

it('works through more rows than one batch holds, also with two workers at once', async () => {
  const { db } = app.context;
  await db.execute(
    sql`insert into sessions (sid, sess, expire) select 'old-' || n, '{}', now() - interval '2 days' from generate_series(1, 2500) n`,
  );
  const [one, two] = await Promise.all([pruneAccounts(app.context), pruneAccounts(app.context)]);
  expect(one.sessions + two.sessions).toBe(2500);
});
