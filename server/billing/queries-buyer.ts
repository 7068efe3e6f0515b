import { eq, sql } from 'drizzle-orm';
import { users } from '#shared/schema/accounts.ts';
import { billingAddresses, type InvoiceBuyer } from '#shared/schema/billing.ts';
import { teams } from '#shared/schema/teams.ts';
import type { Db } from '#server/platform/database.ts';
import type { Payer } from './payer.ts';

type Parts = {
  line1: string | null;
  line2: string | null;
  city: string | null;
  state: string | null;
  postcode: string | null;
};

const lines = ({ line1, line2, city, state, postcode }: Parts): string[] =>
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
 * The buyer as a tax invoice names them today: the billing address, else the address of the adviser's business. A team buys
 * under its own name, with its owner's numbers.
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
    address: lines(address ?? { ...person, line2: null }),
  };
}
