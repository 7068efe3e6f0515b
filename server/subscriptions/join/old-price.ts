import { day, plus } from '#shared/rules/dates.ts';
import {
  longestNoticeDays,
  noticeDays,
  type OwnPrice,
  type PriceDecision,
  unitCentsAt,
} from '#shared/rules/billing/own-price.ts';
import type { OldPurchase } from '#shared/schema/subscriptions.ts';

/** What an older release would have asked for on an invoice of that moment: it wrote each announced price on the subscription. */
export function oldUnitCentsAt({ unitCents, steps = [] }: OldPurchase, at: Date): number {
  const begun = steps.findLast(({ from }) => new Date(from) <= at);
  return begun?.unitCents ?? steps[0]?.beforeCents ?? unitCents;
}

/**
 * The subscription's own price from what an older release told of it. The decisions about the tool's price then follow by themselves;
 * nothing that was told becomes dearer or earlier, and what was not told yet has its notice.
 */
export function ownPriceFrom(
  purchase: OldPurchase,
  decisions: readonly PriceDecision[],
  now: Date,
): Required<OwnPrice> {
  const { priced = 0, steps = [] } = purchase;
  const unitCents = oldUnitCentsAt(purchase, now);
  const pending = steps.filter(({ from }) => new Date(from) > now);
  const told = decisions.filter(({ number }) => number <= priced);
  const untold = decisions.some(
    (one) => one.number > priced && one.kind === 'change' && one.unitCents > one.beforeCents,
  );
  const rises = [
    ...pending.filter((step) => step.unitCents > step.beforeCents).map(({ from }) => new Date(from)),
    ...(untold ? [plus(now, noticeDays * day)] : []),
  ];
  const own = {
    unitCents,
    number: Math.min(priced, ...pending.map((step) => step.number - 1)),
    risesFrom: rises.length > 0 ? new Date(Math.max(...rises.map((at) => at.getTime()))) : null,
  };
  const isDearer = momentsOf(told, pending).some(
    (at) => at >= now && unitCentsAt(own, told, at) > oldUnitCentsAt(purchase, at),
  );
  if (!isDearer) return own;
  return { ...own, unitCents: Math.min(unitCents, ...pending.map((step) => step.unitCents)), number: priced };
}

/** When either of the two may change, and just before. */
const momentsOf = (told: readonly PriceDecision[], pending: readonly { from: string }[]): Date[] =>
  [
    ...told.map((one) => (one.kind === 'change' ? one.startsAt : one.decidedAt)),
    ...pending.map(({ from }) => new Date(from)),
  ].flatMap((at) => [plus(at, -1), at, plus(at, longestNoticeDays * day)]);
