import { eq, sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { users } from '#shared/schema/accounts.ts';
import { toolUsage } from '#shared/schema/usage.ts';
import { type Db, transaction } from '#server/platform/data/database.ts';
import { createAdmin, createUser, password } from '#server/testing/factories.ts';
import { testApp } from '#server/testing/test-app.ts';

const app = testApp();

const rowsOf = async (text: ReturnType<typeof sql>) => (await app.context.db.execute(text)).rows;

/** The ranking that triggers keep, and what the rows say. */
async function compare() {
  const kept = await rowsOf(sql`select user_id, total_usage, last_used from user_usage order by user_id`);
  const counted = await rowsOf(sql`
    select user_id, count(*)::int as total_usage, max(last_accessed) as last_used
    from tool_usage join users on users.id = user_id and closed_at is null group by 1 order by 1`);
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

it('the ranking equals a recount of the uses after any changes, many at a time', async () => {
  const { db } = app.context;
  const next = chance(20_261_121);
  const pick = <T>(list: readonly T[]) => list[Math.floor(next() * list.length)]!;
  let people = await Promise.all(Array.from({ length: 30 }, () => createUser(app.context)));

  /** Two that change one person's rows in different orders may deadlock: as in the product, one of them tries again. */
  const retried = (change: (tx: Db) => Promise<unknown>) => transaction(db, change);
  const changes: ((id: string) => Promise<unknown>)[] = [
    () => createUser(app.context).then((user) => people.push(user)),
    (id) =>
      retried((tx) => tx.update(users).set({ closedAt: new Date(), freeAccessGranted: false }).where(eq(users.id, id))),
    (id) =>
      retried((tx) =>
        tx.insert(toolUsage).values(
          [id, id, pick(people).id].map((userId) => ({
            userId,
            toolId: pick(['file-note-ai', 'fact-find-ai']),
            lastAccessed: new Date(Date.UTC(2026, 0, 1 + Math.floor(next() * 300))),
          })),
        ),
      ),
    (id) =>
      retried((tx) =>
        tx
          .update(toolUsage)
          .set({ lastAccessed: new Date(Date.UTC(2027, 0, 1 + Math.floor(next() * 300))) })
          .where(eq(toolUsage.userId, id)),
      ),
    (id) =>
      retried((tx) =>
        tx.execute(sql`delete from tool_usage where id in (select id from tool_usage where user_id = ${id} limit 2)`),
      ),
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

it('the ranking follows an account that is closed by its owner', async () => {
  await createAdmin(app.context);
  const { agent, user } = await app.signedIn();
  await app.context.db.insert(toolUsage).values({ userId: user.id, toolId: 'file-note-ai' });
  await expectEqual();
  await agent.post('/api/user/close-account').send({ password }).expect(200);
  const { kept, counted } = await compare();
  expect(kept).toEqual(counted);
  expect(kept.map((row) => row['user_id'])).not.toContain(user.id);
  // A session reported by a tool afterwards does not bring the account back.
  await app.context.db.insert(toolUsage).values({ userId: user.id, toolId: 'file-note-ai' });
  await expectEqual();
});

it('the ranking rolls back with the transaction', async () => {
  const before = await compare();
  const failing = transaction(app.context.db, async (tx) => {
    await tx.execute(sql`insert into tool_usage (user_id, tool_id) select id, 'file-note-ai' from users`);
    throw new Error('all of it fails');
  });
  await expect(failing).rejects.toThrow('all of it fails');
  expect(await compare()).toEqual(before);
});
