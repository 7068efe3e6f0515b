import { day, plus } from './dates.ts';

/** How many days before the first invoice at a higher price its payer is told; before one at a lower price, a day. */
export const noticeDays = 30;
export const longestNoticeDays = 366;
const lowerNoticeDays = 1;

/** A price that a subscription goes to, as its payer was told: it applies from the first invoice at or after `from`. */
export type PriceStep = { number: number; unitCents: number; beforeCents: number; from: string };

/**
 * The unit price that one subscription has, whatever the tool costs others. `unitCents` is what its next invoice asks for;
 * `priced` is the last change of the tool's price that its payer was told of or that preceded the purchase.
 */
export type OwnPrice = { unitCents: number; priced?: number; steps?: PriceStep[] };

/** What an administrator decided for existing subscribers of the tool; decisions follow each other by `number`. */
export type PriceDecision =
  | { kind: 'change'; number: number; unitCents: number; beforeCents: number; from: Date }
  | { kind: 'withdrawal'; number: number; unitCents: number; withdraws: number; withdrawnCents: number };

/** What an invoice of that moment asks for. */
export function unitCentsAt({ unitCents, steps = [] }: OwnPrice, at: Date): number {
  const begun = steps.findLast(({ from }) => new Date(from) <= at);
  return begun?.unitCents ?? steps[0]?.beforeCents ?? unitCents;
}

const lastCents = ({ unitCents, steps = [] }: OwnPrice) => steps.at(-1)?.unitCents ?? unitCents;

/** The steps by date, each from the price before it, without those that change nothing. */
function inOrder(firstCents: number, steps: PriceStep[]): PriceStep[] {
  let beforeCents = firstCents;
  return steps
    .toSorted((a, b) => Date.parse(a.from) - Date.parse(b.from))
    .flatMap((step) => {
      if (step.unitCents === beforeCents) return [];
      const next = { ...step, beforeCents };
      beforeCents = step.unitCents;
      return [next];
    });
}

function withSteps(own: OwnPrice, number: number, steps: PriceStep[]): OwnPrice {
  const ordered = inOrder(own.steps?.[0]?.beforeCents ?? own.unitCents, steps);
  const { steps: _before, ...rest } = own;
  // Without a step, the price is the one before all of them.
  if (ordered.length === 0) return { ...rest, unitCents: own.steps?.[0]?.beforeCents ?? own.unitCents, priced: number };
  return { ...rest, priced: number, steps: ordered };
}

/** When the subscription's first invoice at or after that moment is written. */
export type InvoiceFrom = (from: Date) => Date;

type Terms = { raises: boolean; wished: Date | null; now: Date; invoiceFrom: InvoiceFrom };

/** A step to that price, late enough that the payer has time to leave; a lower price comes with the next renewal. */
function stepTo({ number, unitCents }: PriceDecision, { raises, wished, now, invoiceFrom }: Terms): PriceStep {
  const earliest = plus(now, (raises ? noticeDays : lowerNoticeDays) * day);
  const from = invoiceFrom(wished && wished > earliest ? wished : earliest);
  // The price before it is known once the steps are in order.
  return { number, unitCents, beforeCents: 0, from: from.toISOString() };
}

/** The first step that no invoice has charged yet: it begins later than now, or not before the next invoice. */
export const nextStep = ({ steps = [] }: OwnPrice, now: Date, nextInvoice: Date | null): PriceStep | null =>
  steps.find(({ from }) => new Date(from) > now || (nextInvoice !== null && new Date(from) >= nextInvoice)) ?? null;

/**
 * The subscription's price after a decision that its payer is told of now. It never makes an announced step that has not begun
 * dearer or earlier, and a lower price of the tool makes no subscription dearer.
 */
export function ownPriceAfter(own: OwnPrice, decision: PriceDecision, now: Date, invoiceFrom: InvoiceFrom): OwnPrice {
  const { number, unitCents } = decision;
  const isPending = ({ from }: PriceStep) => new Date(from) > now;
  const steps = own.steps ?? [];
  if (decision.kind === 'withdrawal') {
    const left = withSteps(
      own,
      number,
      steps.filter((step) => !(isPending(step) && step.number === decision.withdraws)),
    );
    const boughtSince = (own.priced ?? 0) >= decision.withdraws && own.unitCents === decision.withdrawnCents;
    return boughtSince && steps.length === 0 && own.unitCents > unitCents
      ? withSteps(left, number, [stepTo(decision, { raises: false, wished: null, now, invoiceFrom })])
      : left;
  }
  const { beforeCents, from: wished } = decision;
  const withStep = (price: OwnPrice, raises: boolean) =>
    withSteps(price, number, [...(price.steps ?? []), stepTo(decision, { raises, wished, now, invoiceFrom })]);
  const capped = withSteps(
    own,
    number,
    steps.map((step) => (isPending(step) ? { ...step, unitCents: Math.min(step.unitCents, unitCents) } : step)),
  );
  const after = unitCentsAt(own, now) > unitCents ? withStep(capped, false) : capped;
  return lastCents(after) < unitCents && unitCents > beforeCents ? withStep(after, true) : after;
}
