import { and, eq, inArray, isNull, notInArray, or, sql } from 'drizzle-orm';
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

/** Puts the notes of one invoice to what the provider has: a refund that failed after all leaves with its note. */
export const replaceNotes = async (
  db: Db,
  invoiceId: string,
  notes: (typeof adjustmentNotes.$inferInsert)[],
): Promise<void> => {
  const kept = notes.map(({ providerId }) => providerId);
  await db
    .delete(adjustmentNotes)
    .where(
      and(
        eq(adjustmentNotes.invoiceId, invoiceId),
        kept.length > 0 ? notInArray(adjustmentNotes.providerId, kept) : sql`true`,
      ),
    );
  if (notes.length > 0)
    await db.insert(adjustmentNotes).values(notes).onConflictDoNothing({ target: adjustmentNotes.providerId });
};

const ofPayer = (payer: Payer) => {
  const { userId, teamId } = columnsOf(payer);
  return userId === null ? and(eq(invoices.teamId, teamId!), isNull(invoices.userId)) : eq(invoices.userId, userId);
};

/** Invoices and notes of one payer as one list. */
const documents = (db: Db, payer: Payer) =>
  db
    .select({
      id: invoices.id,
      kind: sql<'invoice' | 'adjustment_note'>`'invoice'`.as('kind'),
      number: sql<string | null>`${invoices.number}`.as('number'),
      status: sql<string>`case
        when ${invoices.totalCents} > 0 and ${invoices.totalCents} <= (
          select coalesce(sum(note.total_cents), 0) from adjustment_notes note where note.invoice_id = invoices.id
        ) then 'refunded' else ${invoices.status} end`.as('status'),
      description: sql<string>`${invoices.description}`.as('description'),
      totalCents: sql<number>`${invoices.totalCents}`.as('total_cents'),
      gstCents: sql<number>`${invoices.gstCents}`.as('gst_cents'),
      issuedAt: sql<Date>`${invoices.issuedAt}`.mapWith(invoices.issuedAt).as('issued_at'),
    })
    .from(invoices)
    .where(ofPayer(payer))
    .unionAll(
      db
        .select({
          id: adjustmentNotes.id,
          kind: sql<'invoice' | 'adjustment_note'>`'adjustment_note'`.as('kind'),
          number: sql<string | null>`${adjustmentNotes.number}`.as('number'),
          status: sql<string>`'issued'`.as('status'),
          description: sql<string>`'Refund for ' || ${invoices.description}`.as('description'),
          totalCents: sql<number>`${adjustmentNotes.totalCents}`.as('total_cents'),
          gstCents: sql<number>`${adjustmentNotes.gstCents}`.as('gst_cents'),
          issuedAt: sql<Date>`${adjustmentNotes.issuedAt}`.mapWith(invoices.issuedAt).as('issued_at'),
        })
        .from(adjustmentNotes)
        .innerJoin(invoices, eq(invoices.id, adjustmentNotes.invoiceId))
        .where(ofPayer(payer)),
    );

/** One page, newest first; those of one moment by id, so that no two pages show the same. */
export const documentPage = (db: Db, payer: Payer, { limit, offset }: { limit: number; offset: number }) =>
  documents(db, payer)
    .orderBy(sql`issued_at desc`, sql`id desc`)
    .limit(limit)
    .offset(offset);

export const countDocuments = async (db: Db, payer: Payer): Promise<number> => {
  const [invoiceCount, noteCount] = await Promise.all([
    db.$count(invoices, ofPayer(payer)),
    db
      .select({ count: sql<number>`count(*)::int` })
      .from(adjustmentNotes)
      .innerJoin(invoices, eq(invoices.id, adjustmentNotes.invoiceId))
      .where(ofPayer(payer)),
  ]);
  return invoiceCount + (noteCount[0]?.count ?? 0);
};

/** An invoice, or a note with its invoice, that this adviser may read: their own, or one of a team they own. */
export async function readableDocument(
  db: Db,
  id: string,
  readerId: string,
): Promise<{ invoice: InvoiceRow; note: NoteRow | null } | null> {
  const [found] = await db
    .select({ invoice: invoices, note: adjustmentNotes })
    .from(invoices)
    .leftJoin(adjustmentNotes, and(eq(adjustmentNotes.invoiceId, invoices.id), eq(adjustmentNotes.id, id)))
    .leftJoin(teams, eq(teams.id, invoices.teamId))
    .where(
      and(
        or(eq(invoices.id, id), eq(adjustmentNotes.id, id)),
        or(eq(invoices.userId, readerId), eq(teams.ownerId, readerId)),
      ),
    );
  return found ?? null;
}

/** The status of our copy of an invoice; null where we have none yet. */
export const knownInvoiceStatus = async (db: Db, stripeInvoiceId: string): Promise<string | null> =>
  (await db.select({ status: invoices.status }).from(invoices).where(eq(invoices.stripeInvoiceId, stripeInvoiceId)))[0]
    ?.status ?? null;
