import { and, eq, inArray, ne, or, sql } from 'drizzle-orm';
import { lostMoneyTool } from '#shared/rules/tools/tools.ts';
import { bills } from '#shared/schema/billing.ts';
import { toolSubscriptions } from '#shared/schema/subscriptions.ts';
import { type Db, isUuid } from '#server/platform/data/database.ts';

const s = toolSubscriptions;
const about = { id: s.id, stripeSubscriptionId: s.stripeSubscriptionId, userId: s.userId, teamId: s.teamId };

/** Some of the subscriptions that go on, of one tool or of all that cost something. */
export const subscriptionsGoingOn = (db: Db, limit: number, toolId?: string) =>
  db
    .select({ ...about, status: s.status })
    .from(s)
    .where(
      and(
        toolId === undefined ? ne(s.toolId, lostMoneyTool) : eq(s.toolId, toolId),
        sql`${s.isActive} and ${s.autoRenew} and ${s.status} in ('trial', 'active', 'grace_period')`,
      ),
    )
    .limit(limit);

/** The subscriptions that have one of these as their id, or as the id of the one at Stripe that they are billed by. */
export const subscriptionsKnownAs = (db: Db, keys: string[]) =>
  db
    .select({ ...about, toolId: s.toolId })
    .from(s)
    .where(
      or(
        inArray(s.id, keys.filter(isUuid)),
        // Read without an index, so only where such an id is asked for.
        inArray(
          s.stripeSubscriptionId,
          keys.filter((key) => key.startsWith('sub_')),
        ),
      ),
    );

/** Whose bills these are. */
export const payersOfBills = (db: Db, ids: string[]) =>
  db.select({ id: bills.id, userId: bills.userId, teamId: bills.teamId }).from(bills).where(inArray(bills.id, ids));
