import { eq, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { day, plus } from '#shared/rules/dates.ts';
import { evidenceHeads, evidencePacks, evidencePieces } from '#shared/schema/evidence.ts';
import { mails, notifications } from '#shared/schema/notifications.ts';
import { testApp } from '#server/testing/test-app.ts';
import { stepsOf } from '#server/testing/evidence-steps.ts';
import { until } from '#server/testing/until.ts';
import { prunePacks, resumePacks } from './jobs.ts';
import { makePack } from './make.ts';
import { claimPack } from './queries.ts';

const app = testApp();
const { worked, packOf, bytesOf, listed, check } = stepsOf(app);

let adviser: Awaited<ReturnType<typeof app.signedIn>>;
beforeEach(async () => {
  adviser = await app.signedIn({ firstName: 'Mia', lastName: 'Wong' });
});

describe('is made once', () => {
  const askedFor = async () => {
    await worked(adviser.user.id);
    const { body } = await adviser.agent.post('/api/record/packs').send({}).expect(201);
    return (body as { id: string }).id;
  };
  const told = async () =>
    (
      await app.context.db
        .select({ title: notifications.title, to: notifications.actionUrl, message: notifications.message })
        .from(notifications)
        .where(eq(notifications.userId, adviser.user.id))
    ).filter(({ title }) => title.includes('pack'));
  const heads = (id: string) => app.context.db.select().from(evidenceHeads).where(eq(evidenceHeads.packId, id));

  it('by two at once', async () => {
    const id = await askedFor();
    await Promise.all([makePack(app.context, id), makePack(app.context, id)]);
    await app.context.queue.drain();
    expect(await heads(id)).toHaveLength(1);
    expect((await listed(adviser.agent))[0]).toMatchObject({ state: 'made' });
    expect(await told()).toEqual([
      {
        title: 'Your evidence pack is ready',
        to: '/record/packs',
        message: expect.stringMatching(
          /^It holds one session.*\. You can download it as a PDF and a CSV file for 7 years\.$/,
        ),
      },
    ]);
    const sent = await app.context.db.select().from(mails).where(eq(mails.toAddress, adviser.user.email));
    expect(sent.filter(({ subject }) => subject === 'Your evidence pack is ready')).toHaveLength(1);
  });

  it('after its maker was killed, by whoever is next', async () => {
    const id = await askedFor();
    const long = new Date(Date.now() - 60_000);
    await claimPack(app.context.db, id, long, new Date(long.getTime() + 1000));
    await resumePacks(app.context);
    await app.context.queue.drain();
    expect(await heads(id)).toHaveLength(1);
  });

  it('nor does a maker who was given up store a second one', async () => {
    const id = await askedFor();
    await app.context.queue.drain();
    await makePack(app.context, id);
    expect(await heads(id)).toHaveLength(1);
  });

  it('given up after five tries, and another may be asked for', async () => {
    const id = await askedFor();
    await app.context.db.update(evidencePacks).set({ attempts: 5 }).where(eq(evidencePacks.id, id));
    await app.context.queue.drain();
    expect((await listed(adviser.agent))[0]).toMatchObject({ state: 'failed', failedFor: 'fault', made: null });
    expect(await told()).toMatchObject([
      {
        title: 'Your evidence pack could not be made',
        message: expect.stringContaining('a fault on our side') as string,
      },
    ]);
    await adviser.agent.get(`/api/record/packs/${id}/csv`).expect(404);
    await packOf(adviser.agent);
  });
});

it('what was issued is never changed, and goes after seven years', async () => {
  const { agent, user } = adviser;
  await worked(user.id);
  const id = await packOf(agent);
  const { db } = app.context;
  const appendOnly = { cause: { message: expect.stringMatching(/append-only|permission denied/) as string } };
  await expect(db.update(evidenceHeads).set({ head: 'x' }).where(eq(evidenceHeads.packId, id))).rejects.toMatchObject(
    appendOnly,
  );
  await expect(db.delete(evidencePieces).where(eq(evidencePieces.packId, id))).rejects.toMatchObject(appendOnly);
  await db
    .update(evidencePacks)
    .set({ createdAt: plus(app.context.now(), -7 * 365 * day) })
    .where(eq(evidencePacks.id, id));
  await prunePacks(app.context);
  expect(await listed(agent)).toHaveLength(1);
  await db
    .update(evidencePacks)
    .set({ createdAt: plus(app.context.now(), -7.1 * 365 * day) })
    .where(eq(evidencePacks.id, id));
  await prunePacks(app.context);
  expect(await listed(agent)).toEqual([]);
});

it('a year of 3,000 sessions comes whole, in order, while others are answered', async () => {
  const { agent, user } = adviser;
  await app.context.db.execute(sql`insert into tool_usage (user_id, tool_id, created_at, client_reference)
    select ${user.id}, 'file-note-ai', now() - number * interval '2 hours', 'F-' || number from generate_series(1, 3000) number`);
  await app.context.db.execute(sql`insert into session_statements (session_id, user_id, checked, made_at)
    select id, user_id, true, now() from tool_usage where user_id = ${user.id}`);
  const { body } = await agent.post('/api/record/packs').send({}).expect(201);
  let [answered, isMade] = [0, false];
  const made = app.context.queue.drain().finally(() => (isMade = true));
  await until('the pack is made', 600_000, async () => {
    await agent.get('/readyz').expect(200);
    answered += 1;
    return isMade;
  });
  await made;
  const csv = await bytesOf(agent, (body as { id: string }).id, 'csv');
  const sessions = csv
    .toString()
    .split('\r\n')
    .filter((line) => line.includes(',Session,'));
  const times = sessions.map((line) => line.split(',')[2]);
  expect(times).toEqual(times.toSorted());
  expect(new Set(sessions.map((line) => line.split(',')[3])).size).toBe(3000);
  expect((await check({ 'a.csv': csv }))[0]).toMatchObject({ faults: [], lines: 6004 });
  expect(answered).toBeGreaterThan(20);
}, 900_000); // The thread that writes gives way to every other one on the machine.
