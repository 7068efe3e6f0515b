import { eq, sql } from 'drizzle-orm';
import { billingAddresses } from '#shared/schema/billing.ts';
import type { Db } from '#server/platform/database.ts';

const a = billingAddresses;

export type AddressOwner = { userId: string } | { teamId: string };
export type Address = Pick<typeof a.$inferSelect, 'line1' | 'line2' | 'city' | 'state' | 'postcode'>;

const columns = { line1: a.line1, line2: a.line2, city: a.city, state: a.state, postcode: a.postcode };

export const addressOf = async (db: Db, owner: AddressOwner): Promise<Address | null> =>
  (
    await db
      .select(columns)
      .from(a)
      .where('userId' in owner ? eq(a.userId, owner.userId) : eq(a.teamId, owner.teamId))
  )[0] ?? null;

/** The payer's one address; the last of two at once stands. */
export const storeAddress = async (db: Db, owner: AddressOwner, address: Address): Promise<void> => {
  await db
    .insert(a)
    .values({ ...owner, ...address })
    .onConflictDoUpdate({
      target: 'userId' in owner ? a.userId : a.teamId,
      set: { ...address, updatedAt: sql`now()` },
    });
};
