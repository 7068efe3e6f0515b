import { eq, inArray, sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { users } from '#shared/schema/accounts.ts';
import { toolUsage } from '#shared/schema/usage.ts';
import { transaction } from '#server/platform/database.ts';
import { createAdmin, createUser, password } from '#server/testing/factories.ts';
import { testApp } from '#server/testing/test-app.ts';
import { verifyCounters } from './jobs.ts';

const app = testApp();

const rowsOf = async (text: ReturnType<typeof sql>) => (await app.context.db.execute(text)).rows;

/** What the triggers keep, and what the rows say. */
async function compare() {
  const kept = {
    counts: await rowsOf(sql`
      select sum(total)::int as total, sum(verified)::int as verified, sum(with_profiles)::int as with_profiles,
        sum(free_access)::int as free_access, sum(with_usage)::int as with_usage from subscriber_counts`),
    blocks: await rowsOf(
      sql`select block::int, users, free_access from user_blocks where users <> 0 or free_access <> 0 order by block`,
    ),
    usage: await rowsOf(sql`select user_id, total_usage, last_used from user_usage order by user_id`),
  };
  const counted = {
    counts: await rowsOf(sql`
      select count(*)::int as total, count(*) filter (where email_verified)::int as verified,
        count(*) filter (where profile_completed)::int as with_profiles,
        count(*) filter (where free_access_granted)::int as free_access,
        (select count(distinct user_id) from tool_usage join users u on u.id = user_id and u.closed_at is null)::int
          as with_usage
      from users where closed_at is null`),
    blocks: await rowsOf(sql`
      select (seq >> 10)::int as block, count(*)::int as users, count(*) filter (where free_access_granted)::int as free_access
      from users where closed_at is null group by 1 order by 1`),
    usage: await rowsOf(sql`
      select user_id, count(*)::int as total_usage, max(last_accessed) as last_used
      from tool_usage join users on users.id = user_id and closed_at is null group by 1 order by 1`),
  };
  return { kept, counted };
}
const expectEqual = async () => {
  const { kept, counted } = await compare();
  expect(kept).toEqual(counted);
};

/** A small seeded generator, so that a failure can be repeated. */
const chance = (seed: number) => () => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
  return seed / 2_147_483_648;
};

it('equal the recounted rows after any changes, many at a time', async () => {
  const { db } = app.context;
  const next = chance(20_261_121);
  const pick = <T>(list: readonly T[]) => list[Math.floor(next() * list.length)]!;
  let people = await Promise.all(Array.from({ length: 30 }, () => createUser(app.context)));

  const changes: ((id: string) => Promise<unknown>)[] = [
    () =>
      createUser(app.context, { emailVerified: next() < 0.5, freeAccessGranted: next() < 0.3 }).then((user) =>
        people.push(user),
      ),
    (id) =>
      db
        .update(users)
        .set({ emailVerified: next() < 0.5 })
        .where(eq(users.id, id)),
    (id) =>
      db
        .update(users)
        .set({ profileCompleted: next() < 0.5, firstName: 'Changed' })
        .where(eq(users.id, id)),
    (id) =>
      db
        .update(users)
        .set({ freeAccessGranted: next() < 0.5 })
        .where(eq(users.id, id)),
    (id) => db.update(users).set({ closedAt: new Date(), freeAccessGranted: false }).where(eq(users.id, id)),
    (id) =>
      db.insert(toolUsage).values(
        [id, id, pick(people).id].map((userId) => ({
          userId,
          toolId: pick(['file-note-ai', 'fact-find-ai']),
          lastAccessed: new Date(Date.UTC(2026, 0, 1 + Math.floor(next() * 300))),
        })),
      ),
    (id) =>
      db
        .update(toolUsage)
        .set({ lastAccessed: new Date(Date.UTC(2027, 0, 1 + Math.floor(next() * 300))) })
        .where(eq(toolUsage.userId, id)),
    (id) =>
      db.execute(sql`delete from tool_usage where id in (select id from tool_usage where user_id = ${id} limit 2)`),
  ];
  for (let round = 0; round < 40; round += 1) {
    await Promise.all(Array.from({ length: 16 }, () => pick(changes)(pick(people).id)));
    if (round % 8 === 7) {
      const gone = [pick(people).id, pick(people).id];
      await db.execute(sql`delete from users where id in ${gone}`);
      people = people.filter((user) => !gone.includes(user.id));
      await expectEqual();
    }
  }
  await expectEqual();
}, 60_000);

it('follow an account that is closed by its owner', async () => {
  await createAdmin(app.context);
  const { agent, user } = await app.signedIn();
  await app.context.db.insert(toolUsage).values({ userId: user.id, toolId: 'file-note-ai' });
  await expectEqual();
  await agent.post('/api/user/close-account').send({ password }).expect(200);
  const { kept, counted } = await compare();
  expect(kept).toEqual(counted);
  expect(kept.usage.map((row) => row['user_id'])).not.toContain(user.id);
  // A session reported by a tool afterwards does not bring the account back.
  await app.context.db.insert(toolUsage).values({ userId: user.id, toolId: 'file-note-ai' });
  await expectEqual();
});

it('roll back with the transaction', async () => {
  const before = await compare();
  const failing = transaction(app.context.db, async (tx) => {
    await tx.execute(sql`update users set free_access_granted = not free_access_granted`);
    await tx.execute(sql`insert into tool_usage (user_id, tool_id) select id, 'file-note-ai' from users`);
    throw new Error('all of it fails');
  });
  await expect(failing).rejects.toThrow('all of it fails');
  expect(await compare()).toEqual(before);
});

it('are corrected by the nightly job, while others write', async () => {
  const user = await createUser(app.context);
  await app.context.db.insert(toolUsage).values([1, 2, 3].map(() => ({ userId: user.id, toolId: 'file-note-ai' })));
  const stranger = await createUser(app.context);
  await app.context.db.execute(sql`update subscriber_counts set total = total + 5, with_usage = with_usage - 2`);
  await app.context.db.execute(sql`update user_blocks set users = users + 7, free_access = free_access - 3`);
  await app.context.db.execute(sql`insert into user_blocks values (99999, 4, 1)`);
  await app.context.db.execute(sql`update user_usage set total_usage = 1, last_used = now() + interval '1 year'
    where user_id = ${user.id}`);
  await app.context.db.execute(sql`insert into user_usage values (${stranger.id}, 12, now())`);
  await Promise.all([
    verifyCounters(app.context),
    ...Array.from({ length: 20 }, async () => {
      const { id } = await createUser(app.context);
      await app.context.db.insert(toolUsage).values({ userId: id, toolId: 'file-note-ai' });
    }),
  ]);
  await expectEqual();
  await verifyCounters(app.context);
  await expectEqual();
  const ranked = await app.context.db.execute(
    sql`select count(*)::int as count from user_usage where user_id = ${stranger.id}`,
  );
  expect(ranked.rows[0]?.['count']).toBe(0);
  expect(
    await app.context.db
      .select()
      .from(users)
      .where(inArray(users.id, [user.id, stranger.id])),
  ).toHaveLength(2);
});
