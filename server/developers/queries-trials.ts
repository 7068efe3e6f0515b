import { eq, sql } from 'drizzle-orm';
import { subscriptionChanges } from '#shared/schema/business.ts';
import { type Db, only } from '#server/platform/data/database.ts';

const c = subscriptionChanges;

/** How many advisers and practices began a trial of this tool, and how many paid after one. */
export const trialsOf = (db: Db, toolId: string) =>
  only(
    db
      .select({
        begun: sql<number>`(count(distinct ${c.payerId}) filter (where ${c.trialStarted}))::int`,
        paid: sql<number>`(count(distinct ${c.payerId}) filter (where ${c.trialConverted}))::int`,
      })
      .from(c)
      .where(eq(c.toolId, toolId)),
  );
