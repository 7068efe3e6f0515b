import { eq, sql } from 'drizzle-orm';
import { billingAddresses } from '#shared/schema/billing.ts';
import type { Db } from '#server/platform/database.ts';
import type { Payer } from './payer.ts';

const a = billingAddresses;
type Address = Pick<typeof a.$inferSelect, 'line1' | 'line2' | 'city' | 'state' | 'postcode'>;

export const addressOf = async (db: Db, payer: Payer): Promise<Address | null> =>
  (
    await db
      .select({ line1: a.line1, line2: a.line2, city: a.city, state: a.state, postcode: a.postcode })
      .from(a)
      .where(payer.kind === 'user' ? eq(a.userId, payer.userId) : eq(a.teamId, payer.teamId))
  )[0] ?? null;

/** The payer's one address; the last of two at once stands. */
export const storeAddress = async (db: Db, payer: Payer, address: Address): Promise<void> => {
  const owner = payer.kind === 'user' ? { userId: payer.userId } : { teamId: payer.teamId };
  await db
    .insert(a)
    .values({ ...owner, ...address })
    .onConflictDoUpdate({
      target: payer.kind === 'user' ? a.userId : a.teamId,
      set: { ...address, updatedAt: sql`now()` },
    });
};
