import type { Input, Reply } from '#shared/api/endpoint.ts';
import type { offersApi } from '#shared/api/offers.ts';
import { type BillInput, monthCentsOf } from '#shared/rules/billing/bill.ts';
import { day, plus } from '#shared/rules/dates.ts';
import { type Tier, tiersAt, tiersChangeAt } from '#shared/rules/billing/pricing.ts';
import { largerOf, makesDearer, sameTiers, tiersFault, tiersText } from '#shared/rules/billing/tiers.ts';
import { audit } from '#server/audit/service.ts';
import { pricing, tierSchedule } from '#server/catalogue/service.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import { AppError, fieldError } from '#server/platform/http/app-error.ts';
import { type Context, inTransaction } from '#server/platform/context.ts';
import { administratorNames } from '../people/queries-names.ts';
import { billOn, daysAhead, inTime, reachable, startOn } from '../people/decided-bills.ts';

export async function showTiers(context: Context): Promise<Reply<typeof offersApi.tiers>> {
  const now = context.now();
  const [{ number, tiers }, rows] = await Promise.all([tierSchedule(context), pricing.tierChangesOf(context.db)]);
  const by = await administratorNames(
    context.db,
    rows.map(({ changedBy }) => changedBy),
  );
  const startsAt = tiersChangeAt(tiers, now);
  const withdrawn = new Set(rows.map(({ withdraws }) => withdraws));
  return {
    number,
    tiers: tiersAt(tiers, now),
    coming: startsAt && { number, tiers: tiersAt(tiers, startsAt), startsAt },
    history: rows.map(({ changedBy, ...row }) => ({
      ...row,
      by: by(changedBy),
      isWithdrawn: withdrawn.has(row.number),
    })),
  };
}

/** `GET /api/admin/tiers/preview`: whom new volume discounts would affect, on their first bill that these may reach; a page of payers. */
export async function previewTiers(
  context: Context,
  { tiers: after, after: afterPayer }: Input<typeof offersApi.previewTiers>['query'],
): Promise<Reply<typeof offersApi.previewTiers>> {
  const now = context.now();
  const before = tiersAt((await tierSchedule(context)).tiers, now);
  const isDearer = makesDearer(before, after);
  const startsAt = isDearer ? plus(now, daysAhead * day) : now;
  const { rows, next } = await reachable(context, { after: afterPayer });
  const reached = { dearer: 0, dearerCents: 0, cheaper: 0, cheaperCents: 0, same: 0 };
  for (const input of new Set(rows.map((row) => row.input))) {
    const cents = monthWith(input, after, startsAt) - monthWith(input, before, startsAt);
    if (cents > 0) reached.dearer += 1;
    else if (cents < 0) reached.cheaper += 1;
    else reached.same += 1;
    reached[cents > 0 ? 'dearerCents' : 'cheaperCents'] += Math.abs(cents);
  }
  return { isDearer, ...reached, next };
}

/** What a month of all the payer's tools costs with these discounts, on their first bill at that moment or later. */
function monthWith(input: BillInput, tiers: Tier[], from: Date): number {
  const bill = billOn({ ...input, tiers }, from);
  return bill ? monthCentsOf(bill) : 0;
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
  inTransaction(context, async (inside, tx) => {
    await pricing.lockDiscounts(tx);
    const now = inside.now();
    const schedule = await tierSchedule(inside);
    if (schedule.number !== number) throw new AppError('discounts_changed');
    if (tiersChangeAt(schedule.tiers, now) !== null) throw new AppError('tiers_coming');
    const fault = tiersFault(after);
    if (fault !== null) throw fieldError('tiers', fault);
    const before = tiersAt(schedule.tiers, now);
    if (sameTiers(before, after)) throw new AppError('same_discounts');
    const startsAt = startOf(makesDearer(before, after), startsOn, now);
    await pricing.replaceTiers(tx, before, after, startsAt ?? now, now);
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
  return startOn(startsOn, daysAhead, now, `Somebody would pay more: ${inTime}`);
}

/** Whether it can still be taken back: only the newest change, until the day it begins. */
export const mayWithdraw = (newest: pricing.TierChangeRow | null, now: Date): boolean =>
  newest?.startsAt != null && newest.startsAt > now;

/**
 * `POST …/withdraw`: takes back what was announced and has not begun; everybody who was told of more to pay is told so. Less to pay
 * that was announced stands. Answers from when, if there is such.
 */
export const withdrawTiers = (
  context: Context,
  actor: ActorRow,
  { number, reason }: Input<typeof offersApi.withdrawTiers>['body'],
): Promise<{ standsFrom: Date | null }> =>
  inTransaction(context, async (inside, tx) => {
    await pricing.lockDiscounts(tx);
    const announced = await pricing.newestTierChange(tx);
    if (announced?.number !== number || !mayWithdraw(announced, inside.now())) throw new AppError('tiers_stand');
    const { before: today, after: before, startsAt } = announced;
    await pricing.keepTiers(tx, startsAt!);
    const after = largerOf(today, before);
    const standsFrom = sameTiers(today, after) ? null : startsAt;
    if (standsFrom) await pricing.replaceTiers(tx, today, after, standsFrom, inside.now());
    await write(inside, actor, number + 1, { before, after, startsAt: null, withdraws: number, reason });
    await audit(inside, 'admin.tiers_withdrawn', {
      before: { tiers: tiersText(before) },
      after: { tiers: tiersText(after), startsAt: standsFrom?.toISOString() ?? null, reason },
    });
    return { standsFrom };
  });

type Written = Pick<pricing.TierChangeRow, 'before' | 'after' | 'startsAt' | 'withdraws' | 'reason'>;

async function write(inside: Context, actor: ActorRow, number: number, written: Written): Promise<void> {
  await pricing.insertTierChange(inside.db, { number, ...written, changedBy: actor.id, createdAt: inside.now() });
  await inside.queue.send(inside.db, 'tell-bills', {});
}
