import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import { users } from '#shared/schema/accounts.ts';
import { billingAddresses, type InvoiceBuyer } from '#shared/schema/billing.ts';
import { teams } from '#shared/schema/teams.ts';
import { type Db, first } from '#server/platform/data/database.ts';
import { columnsOf, ofPayer, type Payer, requirePayerFacts, rowOf } from './queries.ts';

const a = billingAddresses;

export const noCard = { cardBrand: null, cardLast4: null, cardExpMonth: null, cardExpYear: null };

/** Whether anybody has paid, or tried to: then the database belongs to one Stripe account. */
export async function hasCustomers(db: Db): Promise<boolean> {
  for (const table of [users, teams]) {
    const found = await db.select({ id: table.id }).from(table).where(isNotNull(table.stripeCustomerId)).limit(1);
    if (found.length > 0) return true;
  }
  return false;
}

/** Stores the customer, or another for one that Stripe lost with its card; answers the one of whichever replica was first. */
export async function claimCustomer(
  db: Db,
  payer: Payer,
  stripeCustomerId: string,
  replaced: string | null,
): Promise<string> {
  const values = { stripeCustomerId, ...(replaced !== null && noCard) };
  const { table, id } = rowOf(payer);
  const isAsBefore = replaced === null ? isNull(table.stripeCustomerId) : eq(table.stripeCustomerId, replaced);
  await db
    .update(table)
    .set(values)
    .where(and(eq(table.id, id), isAsBefore));
  const [stored] = await db.select({ customer: table.stripeCustomerId }).from(table).where(eq(table.id, id));
  return stored?.customer ?? stripeCustomerId;
}

const update = async (db: Db, payer: Payer, values: Partial<typeof users.$inferInsert & typeof teams.$inferInsert>) => {
  const { table, id } = rowOf(payer);
  await db.update(table).set(values).where(eq(table.id, id));
};

type Card = Record<'cardBrand' | 'cardLast4', string> & Record<'cardExpMonth' | 'cardExpYear', number>;

/** Stores the card on file (null for none), and what Stripe will take off the next invoices, in cents. */
export const storeCard = (db: Db, payer: Payer, card: Card | null, creditCents: number): Promise<void> =>
  update(db, payer, { ...(card ?? noCard), creditCents });

/** The payer's one subscription at Stripe, the start of its first period, and the next billing instant; all null where there is none. */
type BillState = Pick<typeof users.$inferSelect, 'stripeSubscriptionId' | 'billingAnchor' | 'nextBillAt'>;

const noBill: BillState = { stripeSubscriptionId: null, billingAnchor: null, nextBillAt: null };

export const storeBill = (db: Db, payer: Payer, bill: Partial<BillState> | null): Promise<void> =>
  update(db, payer, bill ?? noBill);

export type Address = Pick<typeof a.$inferSelect, 'line1' | 'line2' | 'city' | 'state' | 'postcode'>;

export const findAddress = (db: Db, payer: Payer) =>
  first(
    db
      .select({ line1: a.line1, line2: a.line2, city: a.city, state: a.state, postcode: a.postcode })
      .from(a)
      .where(ofPayer(a, payer)),
  );

/** Stores the payer's only billing address; of two stored at once the later one stays. */
export const storeAddress = (db: Db, payer: Payer, address: Address) =>
  db
    .insert(a)
    .values({ ...columnsOf(payer), ...address })
    .onConflictDoUpdate({
      target: payer.kind === 'user' ? a.userId : a.teamId,
      set: { ...address, updatedAt: sql`now()` },
    });

const business = {
  business: users.businessName,
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
  const { contactId, name, abn, email } = await requirePayerFacts(db, payer);
  const [found] = await db.select(business).from(users).where(eq(users.id, contactId));
  const { line1, line2, ...place } = (await findAddress(db, payer)) ?? { ...found!, line2: null };
  const lines = [line1, line2, [place.city, place.state, place.postcode].filter(Boolean).join(' ')];
  const address = lines.flatMap((line) => line || []);
  return { name: name.trim(), business: found!.business, abn, email, address };
}
