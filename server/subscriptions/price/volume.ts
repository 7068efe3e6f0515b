import type { Input, Reply } from '#shared/api/endpoint.ts';
import type { offersApi } from '#shared/api/offers.ts';
import { day, plus, sydneyMidnight } from '#shared/rules/dates.ts';
import { monthlyCentsAt } from '#shared/rules/forecast.ts';
import { longestNoticeDays, noticeDays } from '#shared/rules/own-price.ts';
import { type Tier, tiersAt, tiersChangeAt } from '#shared/rules/pricing.ts';
import { makesDearer, sameTiers, tiersFault, tiersText } from '#shared/rules/tiers.ts';
import { lostMoneyTool } from '#shared/rules/tools.ts';
import { audit } from '#server/audit/service.ts';
import {
  insertTierChange,
  keepTiers,
  lockDiscounts,
  newestTierChange,
  replaceTiers,
  type TierChangeRow,
  tierSchedule,
  winBackSettings,
} from '#server/catalogue/service.ts';
import { findPayerFacts, type Payer, payerKey, payerOf } from '#server/payers/service.ts';
import { allCoupons, ensureCoupon } from '#server/stripe/service.ts';
import type { ActorRow } from '#server/platform/actor.ts';
import { AppError, fieldError } from '#server/platform/app-error.ts';
import { type Context, within } from '#server/platform/context.ts';
import { transaction } from '#server/platform/database.ts';
import { slotsOf, toForecastRow } from '../queries.ts';
import { goesOn, nextInvoiceOn } from './forecast.ts';
import { someGoingOn } from './queries-prices.ts';

/** How many subscriptions a preview looks at; of more it only says that there are more. */
const counted = 2_000;
/** A day more than the notice: in that day everybody is told. */
const daysAhead = noticeDays + 1;

/** Every coupon that a price may use today, or will. */
export const couponsInUse = async (context: Pick<Context, 'db'>) =>
  allCoupons((await tierSchedule(context)).tiers, await winBackSettings(context));

/** The job after a change of discounts: Stripe has their coupons before somebody needs them. */
export async function makeStripeCoupons(context: Context): Promise<void> {
  for (const coupon of await couponsInUse(context)) await ensureCoupon(context, coupon);
}

/** `GET /api/admin/tiers/preview`: whom new volume discounts would affect, from their next invoice on. */
export async function previewTiers(context: Context, after: Tier[]): Promise<Reply<typeof offersApi.previewTiers>> {
  const now = context.now();
  const before = tiersAt((await tierSchedule(context)).tiers, now);
  const rows = await someGoingOn(context.db, counted + 1);
  const payers = new Map(rows.slice(0, counted).map((row) => [payerKey(payerOf(row)), payerOf(row)]));
  const reached = { dearer: 0, dearerCents: 0, cheaper: 0, cheaperCents: 0, same: 0 };
  for (const cents of await Promise.all([...payers.values()].map((payer) => moreOf(context, payer, before, after)))) {
    if (cents > 0) reached.dearer += 1;
    else if (cents < 0) reached.cheaper += 1;
    else reached.same += 1;
    reached[cents > 0 ? 'dearerCents' : 'cheaperCents'] += Math.abs(cents);
  }
  return { isDearer: makesDearer(before, after), ...reached, more: rows.length > counted };
}

/** How much more a month of all the payer's tools would cost, at their next invoices. */
async function moreOf(context: Context, payer: Payer, before: Tier[], after: Tier[]): Promise<number> {
  const [facts, slots] = await Promise.all([findPayerFacts(context.db, payer), slotsOf(context.db, payer)]);
  if (!facts) return 0;
  const now = context.now();
  const rows = slots.map(toForecastRow);
  return slots
    .filter((row) => goesOn(row) && row.toolId !== lostMoneyTool)
    .reduce((sum, row) => {
      const costWith = (tiers: Tier[]) =>
        monthlyCentsAt(toForecastRow(row), nextInvoiceOn(row) ?? now, { payer: facts, tiers, rows, now });
      return sum + costWith(after) - costWith(before);
    }, 0);
}

/**
 * `POST /api/admin/tiers`: sets new volume discounts. Where nobody pays more they hold at once; otherwise for everybody from that
 * day, thirty days after everybody who pays more was told. One change is announced at a time.
 */
export const setTiers = (
  context: Context,
  actor: ActorRow,
  { number, tiers: after, startsOn, reason }: Input<typeof offersApi.setTiers>['body'],
): Promise<{ startsAt: Date | null }> =>
  transaction(context.db, async (tx) => {
    await lockDiscounts(tx, 'tiers');
    const inside = within(context, tx);
    const now = inside.now();
    const schedule = await tierSchedule(inside);
    if (schedule.number !== number) throw new AppError('discounts_changed');
    if (tiersChangeAt(schedule.tiers, now) !== null) throw new AppError('tiers_coming');
    const fault = tiersFault(after);
    if (fault !== null) throw fieldError('tiers', fault);
    const before = tiersAt(schedule.tiers, now);
    if (sameTiers(before, after)) throw new AppError('same_discounts');
    const startsAt = startOf(makesDearer(before, after), startsOn, now);
    await replaceTiers(tx, before, after, startsAt ?? now, now);
    await write(inside, actor, number + 1, { before, after, startsAt, withdraws: null, reason });
    await audit(inside, 'admin.tiers_set', {
      before: { tiers: tiersText(before) },
      after: { tiers: tiersText(after), startsAt: startsAt?.toISOString() ?? null, reason },
    });
    return { startsAt };
  });

/** Midnight of that day in Sydney, if that leaves time to tell everybody; null: at once. */
function startOf(isDearer: boolean, startsOn: string | undefined, now: Date): Date | null {
  if (!isDearer && startsOn === undefined) return null;
  if (!isDearer) throw fieldError('startsOn', 'Nobody pays more, so this holds at once: please leave the day out');
  const at = startsOn === undefined ? null : sydneyMidnight(startsOn);
  if (!at || at < plus(now, daysAhead * day) || at > plus(now, longestNoticeDays * day))
    throw fieldError(
      'startsOn',
      `Somebody would pay more: please choose a day at least ${daysAhead} days from now, within a year, so that everybody is told ${noticeDays} days before`,
    );
  return at;
}

/** Whether it can still be taken back: only the newest change, until the day it begins. */
export const mayWithdraw = (newest: TierChangeRow | null, now: Date): boolean =>
  newest?.startsAt != null && newest.startsAt > now;

/** `POST …/withdraw`: takes back what was announced and has not begun; everybody who was told is told so. */
export const withdrawTiers = (
  context: Context,
  actor: ActorRow,
  { number, reason }: Input<typeof offersApi.withdrawTiers>['body'],
): Promise<void> =>
  transaction(context.db, async (tx) => {
    await lockDiscounts(tx, 'tiers');
    const inside = within(context, tx);
    const announced = await newestTierChange(tx);
    if (announced?.number !== number || !mayWithdraw(announced, inside.now())) throw new AppError('tiers_stand');
    await keepTiers(tx, announced.startsAt!);
    const { before: after, after: before } = announced;
    await write(inside, actor, number + 1, { before, after, startsAt: null, withdraws: number, reason });
    await audit(inside, 'admin.tiers_withdrawn', {
      before: { tiers: tiersText(before) },
      after: { tiers: tiersText(after), reason },
    });
  });

type Written = Pick<TierChangeRow, 'before' | 'after' | 'startsAt' | 'withdraws' | 'reason'>;

async function write(inside: Context, actor: ActorRow, number: number, written: Written): Promise<void> {
  await insertTierChange(inside.db, { number, ...written, changedBy: actor.id, createdAt: inside.now() });
  await inside.queue.send(inside.db, 'make-stripe-coupons', {});
  await inside.queue.send(inside.db, 'announce-tiers', {});
}
