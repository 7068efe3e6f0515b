import { sql } from 'drizzle-orm';
import { toolSubscriptions } from '#shared/schema/subscriptions.ts';
import { type Db, only } from '#server/platform/data/database.ts';

const s = toolSubscriptions;

/** How many advisers and practices have this tool now, paid or in grace, and how many on trial. */
export const subscribersOf = (db: Db, toolId: string) =>
  only(
    db
      .select({
        subscribers: sql<number>`count(*) filter (where ${s.status} in ('active', 'grace_period'))::int`,
        trials: sql<number>`count(*) filter (where ${s.status} = 'trial')::int`,
      })
      .from(s)
      .where(sql`${s.toolId} = ${toolId}`),
  );
