import { eq, sql } from 'drizzle-orm';
import { users } from '#shared/schema/accounts.ts';
import { billingAddresses, type InvoiceBuyer } from '#shared/schema/billing.ts';
import { teams } from '#shared/schema/teams.ts';
import { type Db, first } from '#server/platform/database.ts';
import { columnsOf, ofPayer, type Payer } from './queries.ts';

type AddressParts = Record<'line1' | 'line2' | 'city' | 'state' | 'postcode', string | null>;

const addressLines = ({ line1, line2, city, state, postcode }: AddressParts): string[] =>
  [line1, line2, [city, state, postcode].filter(Boolean).join(' ')].filter((text): text is string => Boolean(text));

const business = {
  email: users.email,
  firstName: users.firstName,
  lastName: users.lastName,
  businessName: users.businessName,
  abn: users.abn,
  line1: users.businessAddress,
  city: users.businessCity,
  state: users.businessState,
  postcode: users.businessPostcode,
};

/**
 * The buyer as a tax invoice would name them today: with the billing address, else the address of the adviser's business.
 * A team buys under its own name, with its owner's ABN and email.
 */
export async function buyerOf(db: Db, payer: Payer): Promise<InvoiceBuyer> {
  const [found] =
    payer.kind === 'user'
      ? await db
          .select({ person: business, address: billingAddresses, team: sql<string | null>`null` })
          .from(users)
          .leftJoin(billingAddresses, eq(billingAddresses.userId, users.id))
          .where(eq(users.id, payer.userId))
      : await db
          .select({ person: business, address: billingAddresses, team: teams.name })
          .from(teams)
          .innerJoin(users, eq(users.id, teams.ownerId))
          .leftJoin(billingAddresses, eq(billingAddresses.teamId, teams.id))
          .where(eq(teams.id, payer.teamId));
  if (!found) throw new Error(`no payer ${JSON.stringify(payer)}`);
  const { person, address, team } = found;
  const name = `${person.firstName} ${person.lastName}`.trim();
  return {
    name: team ?? name,
    business: person.businessName,
    abn: person.abn,
    email: person.email,
    address: addressLines(address ?? { ...person, line2: null }),
  };
}

const a = billingAddresses;
type Address = Pick<typeof a.$inferSelect, 'line1' | 'line2' | 'city' | 'state' | 'postcode'>;

export const findAddress = (db: Db, payer: Payer) =>
  first(
    db
      .select({ line1: a.line1, line2: a.line2, city: a.city, state: a.state, postcode: a.postcode })
      .from(a)
      .where(ofPayer(a, payer)),
  );

/** Stores the payer's only billing address; of two stored at once the later one stays. */
export const storeAddress = async (db: Db, payer: Payer, address: Address): Promise<void> => {
  await db
    .insert(a)
    .values({ ...columnsOf(payer), ...address })
    .onConflictDoUpdate({
      target: payer.kind === 'user' ? a.userId : a.teamId,
      set: { ...address, updatedAt: sql`now()` },
    });
};
