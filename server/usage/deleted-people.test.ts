import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { users } from '#shared/schema/accounts.ts';
import { usageAnalytics } from '#shared/schema/analytics.ts';
import { toolUsage } from '#shared/schema/usage.ts';
import { createUser } from '#server/testing/factories.ts';
import { rowsOf } from '#server/testing/purchases.ts';
import { testApp } from '#server/testing/test-app.ts';
import { eventKey, insertEvents } from './queries-events.ts';

const app = testApp();
const tool = 'risk-profile-ai';

it('an event is stored once, where its session has room; what tools reported of a person goes when their row is deleted, and nobody else’s', async () => {
  const { db } = app.context;
  const people = [await createUser(app.context), await createUser(app.context)];
  const sessions = await db
    .insert(toolUsage)
    .values(people.map(({ id }) => ({ userId: id, toolId: tool })))
    .returning({ id: toolUsage.id });
  const now = app.context.now();
  const date = now.toISOString();
  const sums = { sessionDuration: 60, actionsPerformed: 1, dataProcessed: 2, performanceScore: '5.00', date };
  const events = sessions.map(({ id: usageId }, number) => ({
    userId: people[number]!.id,
    usageId,
    eventId: `event-${number}`,
    ...sums,
  }));
  const rooms = sessions.map(({ id }) => ({ id, seconds: 3600 }));
  expect(await insertEvents(db, tool, events, rooms, now)).toBe(true);
  await expect(insertEvents(db, tool, events, rooms, now)).rejects.toMatchObject({ constraint: eventKey });
  const others = events.map((event) => ({ ...event, eventId: `${event.eventId}-more` }));
  const full = rooms.map((room, number) => ({ ...room, seconds: number === 0 ? 59 : 60 }));
  expect(await insertEvents(db, tool, others, full, now)).toBe(false);
  expect(await rowsOf(app, 'select reports, ended_at, last_accessed from tool_usage')).toEqual(
    sessions.map(() => ({ reports: 1, ended_at: now, last_accessed: now })),
  );
  await db.delete(users).where(eq(users.id, people[0]!.id));
  expect(await db.select({ userId: usageAnalytics.userId }).from(usageAnalytics)).toEqual([{ userId: people[1]!.id }]);
});
