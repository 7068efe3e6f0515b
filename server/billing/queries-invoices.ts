import { and, eq, inArray, notInArray, or, sql } from 'drizzle-orm';
import { users } from '#shared/schema/accounts.ts';
import { adjustmentNotes, invoices } from '#shared/schema/billing.ts';
import { toolSubscriptions } from '#shared/schema/subscriptions.ts';
import { teams } from '#shared/schema/teams.ts';
import { tools } from '#shared/schema/tools.ts';
import type { Db } from '#server/platform/database.ts';
import { columnsOf, payerOf, type Payer } from './payer.ts';

export type InvoiceRow = typeof invoices.$inferSelect;
export type NoteRow = typeof adjustmentNotes.$inferSelect;

/** States an invoice does not leave again: a late reading of an older one must not undo them. */
const final = ['paid', 'void'];

/** Our copy of an invoice follows the provider's; its buyer stays the one of the day of issue. */
export const upsertInvoice = async (db: Db, invoice: typeof invoices.$inferInsert): Promise<void> => {
  const { status, totalCents, gstCents, amountPaidCents, dueCents, paidAt, number, lines, description } = invoice;
  await db
    .insert(invoices)
    .values(invoice)
    .onConflictDoUpdate({
      target: invoices.stripeInvoiceId,
      set: {
        status,
        totalCents,
        gstCents,
        amountPaidCents,
        dueCents,
        paidAt,
        number,
        lines,
        description,
        buyer: sql`coalesce(${invoices.buyer}, excluded.buyer)`,
        updatedAt: sql`now()`,
      },
      setWhere: or(notInArray(invoices.status, final), sql`excluded.status in ('paid', 'void')`)!,
    });
};

export const invoiceExists = async (db: Db, stripeInvoiceId: string): Promise<boolean> =>
  (
    await db
      .select({ id: invoices.id })
      .from(invoices)
      .where(and(eq(invoices.stripeInvoiceId, stripeInvoiceId), sql`${invoices.buyer} is not null`))
  ).length > 0;

export const invoiceByProviderId = async (db: Db, stripeInvoiceId: string): Promise<InvoiceRow | null> =>
  (await db.select().from(invoices).where(eq(invoices.stripeInvoiceId, stripeInvoiceId)))[0] ?? null;

/** The row a provider's subscription belongs to, with the name of its tool. */
export const subscriptionOfInvoice = async (db: Db, stripeSubscriptionId: string) => {
  const [found] = await db
    .select({
      subscriptionId: toolSubscriptions.id,
      userId: toolSubscriptions.userId,
      teamId: toolSubscriptions.teamId,
      status: toolSubscriptions.status,
      toolName: tools.name,
    })
    .from(toolSubscriptions)
    .innerJoin(tools, eq(tools.id, toolSubscriptions.toolId))
    .where(eq(toolSubscriptions.stripeSubscriptionId, stripeSubscriptionId));
  return found ?? null;
};

/** The provider's subscriptions of this payer whose invoices are to be paid: those that run, or whose payment failed. */
export const collectedSubscriptions = async (db: Db, payer: Payer): Promise<string[]> => {
  const { userId, teamId } = columnsOf(payer);
  const s = toolSubscriptions;
  const rows = await db
    .select({ id: s.stripeSubscriptionId })
    .from(s)
    .where(
      and(
        userId === null ? eq(s.teamId, teamId!) : eq(s.userId, userId),
        eq(s.isActive, true),
        inArray(s.status, ['trial', 'active', 'grace_period']),
      ),
    );
  return rows.flatMap(({ id }) => id ?? []);
};

/** Whose customer this is at the provider; null where it is none of ours. */
export async function payerOfCustomer(db: Db, stripeCustomerId: string): Promise<Payer | null> {
  const [user] = await db.select({ id: users.id }).from(users).where(eq(users.stripeCustomerId, stripeCustomerId));
  if (user) return payerOf({ userId: user.id, teamId: null });
  const [team] = await db.select({ id: teams.id }).from(teams).where(eq(teams.stripeCustomerId, stripeCustomerId));
  return team ? payerOf({ userId: null, teamId: team.id }) : null;
}

type NewNote = Omit<typeof adjustmentNotes.$inferInsert, 'invoiceId' | 'number'> & { number: string | null };

/**
 * Puts the notes of one invoice to what the provider has: a refund that failed after all leaves with its note. Those the
 * provider does not number are numbered once, in the order they arrive; the lock makes two readers agree.
 */
export async function replaceNotes(tx: Db, invoice: InvoiceRow, notes: NewNote[]): Promise<void> {
  await tx.select({ id: invoices.id }).from(invoices).where(eq(invoices.id, invoice.id)).for('no key update');
  const stored = await tx.select().from(adjustmentNotes).where(eq(adjustmentNotes.invoiceId, invoice.id));
  const prefix = `${invoice.number ?? invoice.stripeInvoiceId}-R`;
  let last = Math.max(
    0,
    ...stored.map(({ number }) => (number.startsWith(prefix) ? Number(number.slice(prefix.length)) : 0)),
  );
  const gone = stored.filter(({ providerId }) => !notes.some((note) => note.providerId === providerId));
  if (gone.length > 0)
    await tx.delete(adjustmentNotes).where(
      inArray(
        adjustmentNotes.id,
        gone.map(({ id }) => id),
      ),
    );
  for (const { number, ...note } of notes) {
    if (stored.some(({ providerId }) => providerId === note.providerId)) continue;
    await tx
      .insert(adjustmentNotes)
      .values({ ...note, invoiceId: invoice.id, number: number ?? `${prefix}${(last += 1)}` });
  }
}

/** The status of our copy of an invoice; null where we have none yet. */
export const knownInvoiceStatus = async (db: Db, stripeInvoiceId: string): Promise<string | null> =>
  (await db.select({ status: invoices.status }).from(invoices).where(eq(invoices.stripeInvoiceId, stripeInvoiceId)))[0]
    ?.status ?? null;
