import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { adjustmentNotes, invoices } from '#shared/schema/billing.ts';
import { toolSubscriptions } from '#shared/schema/subscriptions.ts';
import { createUser } from '#server/testing/factories.ts';
import { DAY } from '#server/testing/purchases.ts';
import type { TestApp } from '#server/testing/test-app.ts';

type NewRow = Partial<typeof toolSubscriptions.$inferInsert>;

/** Makes subscriptions, invoices and adjustment notes as rows, for tests of the business figures. */
export const businessRows = (app: () => TestApp) => {
  const begin = async (values: NewRow = {}, userId?: string) => {
    const row = {
      userId: userId ?? (await createUser(app().context)).id,
      toolId: 'risk-profile-ai',
      monthlyCents: 3000,
      stripeSubscriptionId: `sub_${randomUUID()}`,
      createdAt: app().context.now(),
      ...values,
    };
    const [added] = await app().context.db.insert(toolSubscriptions).values(row).returning();
    return added!;
  };
  const change = (id: string, values: NewRow) =>
    app().context.db.update(toolSubscriptions).set(values).where(eq(toolSubscriptions.id, id));
  const inADay = () => new Date(app().context.now().getTime() + DAY);
  const cancelled = (): NewRow => ({ status: 'cancelled', endDate: inADay(), gracePeriodEnd: inADay() });
  const issue = async (
    userId: string,
    subscriptionId: string | null,
    issuedAt: Date,
    totalCents: number,
    more = {},
  ) => {
    const [row] = await app()
      .context.db.insert(invoices)
      .values({
        stripeInvoiceId: `in_${randomUUID()}`,
        userId,
        subscriptionId,
        status: 'open',
        description: 'Risk Profile AI',
        totalCents,
        gstCents: Math.round(totalCents / 11),
        amountPaidCents: totalCents,
        lines: [],
        issuedAt,
        createdAt: app().context.now(),
        ...more,
      })
      .returning({ id: invoices.id });
    return row!.id;
  };
  const adjust = async (invoiceId: string, issuedAt: Date, totalCents: number) => {
    const note = {
      invoiceId,
      issuedAt,
      createdAt: app().context.now(),
      totalCents,
      gstCents: Math.round(totalCents / 11),
      number: 'R1',
    };
    const [row] = await app()
      .context.db.insert(adjustmentNotes)
      .values({ ...note, providerId: `re_${randomUUID()}` })
      .returning({ id: adjustmentNotes.id });
    return row!.id;
  };
  return { begin, change, inADay, cancelled, issue, adjust };
};
