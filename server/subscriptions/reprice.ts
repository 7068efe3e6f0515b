import { formatCents } from '#shared/rules/money.ts';
import { priceOf, type Tier } from '#shared/rules/pricing.ts';
import { hasAccess } from '#shared/rules/subscriptions.ts';
import { lostMoneyTool } from '#shared/rules/tools.ts';
import { setProviderDiscounts } from '#server/billing/service.ts';
import { notify } from '#server/notifications/service.ts';
import { AppError } from '#server/platform/app-error.ts';
import { within, type Context } from '#server/platform/context.ts';
import { transaction } from '#server/platform/database.ts';
import { couponFor } from './coupons.ts';
import { activeTiers, placesOf, userPayer, type PlaceRow } from './queries.ts';
import { updateRow } from './queries-write.ts';

const rounds = 5;

/** The rows whose bill the provider writes and still will: the others have no next invoice. */
const isBilled = (row: PlaceRow) =>
  row.stripeSubscriptionId !== null &&
  row.purchase !== null &&
  (row.status === 'trial' || row.status === 'active' || row.status === 'grace_period');

/**
 * Brings the discounts of an adviser's subscriptions to what the number of their tools gives now, from the next invoice
 * on and never silently (decisions §4). Works by state: what is right already is left alone.
 */
export async function reprice(context: Context, userId: string): Promise<void> {
  // A row that changed while the provider was told is told again: two of us may have come in the other order.
  const unsure = new Set<string>();
  for (let round = 1; round <= rounds; round += 1) {
    const [payer, tierRows, places] = await Promise.all([
      userPayer(context.db, userId),
      activeTiers(context.db),
      placesOf(context.db, userId),
    ]);
    if (!payer) return;
    const tiers: Tier[] = tierRows.map((tier) => ({ ...tier, discountPercent: Number(tier.discountPercent) }));
    const cardOnFile = payer.cardLast4 !== null;
    const paid = places.filter(
      (row) => row.toolId !== lostMoneyTool && hasAccess({ ...row, cardOnFile }, context.now()),
    );
    const priced = paid.filter(isBilled).map((row) => ({
      row,
      price: priceOf({
        toolId: row.toolId,
        toolName: row.toolName,
        unitCents: row.purchase!.unitCents,
        payer: { kind: 'user', membershipType: payer.membershipType, freeAccess: payer.freeAccessGranted, members: 1 },
        paidTools: paid.length,
        tiers,
      }),
    }));
    const wrong = priced.filter(({ row, price }) => unsure.has(row.id) || row.monthlyCents !== price.totalCents);
    if (wrong.length === 0) return;
    for (const { row, price } of wrong) {
      await setProviderDiscounts(context, row.stripeSubscriptionId!, price.discounts.map(couponFor));
      if (await write(context, row, price.totalCents)) unsure.delete(row.id);
      else unsure.add(row.id);
    }
  }
  throw new AppError('conflict');
}

/** The new price on the row, with its notice; false where the row has changed since it was read. */
const write = (context: Context, row: PlaceRow, monthlyCents: number): Promise<boolean> =>
  transaction(context.db, async (tx) => {
    const after = await updateRow(tx, row, { monthlyCents });
    if (!after) return false;
    if (row.monthlyCents === monthlyCents || row.userId === null) return true;
    await notify(within(context, tx), {
      userId: row.userId,
      type: 'subscription_renewal',
      title: 'Price changed',
      message: `${row.toolName} costs ${formatCents(monthlyCents)} a month from its next invoice, instead of ${formatCents(row.monthlyCents)}, because the number of your tools has changed.`,
      actionUrl: '/dashboard?tab=billing',
      dedupeKey: `subscription:${row.id}:price:${after.version}`,
    });
    return true;
  });

/** The same at once, for an answer that shows prices; where the provider is away, the queued job does it later. */
export async function repriceNow(context: Context, userId: string): Promise<void> {
  try {
    await reprice(context, userId);
  } catch (error) {
    context.log.warn({ err: error, userId }, 'prices follow later');
  }
}
