import { expect, it } from 'vitest';
import { day, plus } from '#shared/rules/dates.ts';
import { type PriceDecision, unitCentsAt } from '#shared/rules/billing/own-price.ts';
import type { OldPurchase } from '#shared/schema/subscriptions.ts';
import { seededRandom } from '#server/dev/seeded-random.ts';
import { oldUnitCentsAt, ownPriceFrom } from './old-price.ts';

const now = new Date('2026-11-22T00:00:00Z');
const on = (date: string) => new Date(`${date}T00:00:00Z`);
/** The old release's invoices are of the 10th. */
const invoiceFrom = (from: Date) => {
  const at = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth(), 10));
  return at >= from ? at : new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1, 10));
};

type Step = NonNullable<OldPurchase['steps']>[number];
type Price = { unitCents: number; priced: number; steps?: Step[] };

/** What the release before wrote on a subscription when it told its payer of a decision, word for word. */
function told(own: Price, decision: PriceDecision, at: Date): Price {
  const { number, unitCents } = decision;
  const isPending = ({ from }: Step) => new Date(from) > at;
  const steps = own.steps ?? [];
  const stepTo = (raises: boolean, wished: Date | null): Step => {
    const earliest = plus(at, (raises ? 30 : 1) * day);
    const from = invoiceFrom(wished && wished > earliest ? wished : earliest).toISOString();
    return { number, unitCents, beforeCents: 0, from };
  };
  const withSteps = (of: Price, list: Step[]): Price => {
    let beforeCents = of.steps?.[0]?.beforeCents ?? of.unitCents;
    const ordered = list
      .toSorted((a, b) => Date.parse(a.from) - Date.parse(b.from))
      .flatMap((step) => {
        if (step.unitCents === beforeCents) return [];
        const next = { ...step, beforeCents };
        beforeCents = step.unitCents;
        return [next];
      });
    const { steps: _before, ...rest } = of;
    if (ordered.length === 0) return { ...rest, unitCents: of.steps?.[0]?.beforeCents ?? of.unitCents, priced: number };
    return { ...rest, priced: number, steps: ordered };
  };
  if (decision.kind === 'withdrawal') {
    const left = withSteps(
      own,
      steps.filter((step) => !(isPending(step) && step.number === decision.withdraws)),
    );
    const boughtSince = own.priced >= decision.withdraws && own.unitCents === decision.withdrawnCents;
    return boughtSince && steps.length === 0 && own.unitCents > unitCents
      ? withSteps(left, [stepTo(false, null)])
      : left;
  }
  const wished = decision.startsAt;
  const add = (price: Price, raises: boolean) => withSteps(price, [...(price.steps ?? []), stepTo(raises, wished)]);
  const capped = withSteps(
    own,
    steps.map((step) => (isPending(step) ? { ...step, unitCents: Math.min(step.unitCents, unitCents) } : step)),
  );
  const after = oldUnitCentsAt({ ...own, quantity: 1 }, at) > unitCents ? add(capped, false) : capped;
  const last = after.steps?.at(-1)?.unitCents ?? after.unitCents;
  return last < unitCents && unitCents > decision.beforeCents ? add(after, true) : after;
}

const bills = Array.from({ length: 16 }, (_, month) => new Date(Date.UTC(2026, 11 + month, 10)));

it.each<[string, Price, PriceDecision[], number[]]>([
  ['nothing decided', { unitCents: 3000, priced: 0 }, [], [3000, 3000, 3000]],
  ['a rise that was told', { unitCents: 3000, priced: 0 }, [change(1, 3000, 3500, '2027-01-05')], [3000, 3500, 3500]],
  ['a cut', { unitCents: 3000, priced: 0 }, [change(1, 3000, 2500, '2026-11-25')], [2500, 2500, 2500]],
  [
    'a rise that a later cut caps',
    { unitCents: 3000, priced: 0 },
    [change(1, 3000, 3500, '2027-01-05'), change(2, 3000, 3200, '2027-02-05')],
    [3000, 3200, 3200],
  ],
])('a payer keeps the price that was told: %s', (_what, bought, decisions, cents) => {
  const own = decisions.reduce((price, decision) => told(price, decision, now), bought);
  const price = ownPriceFrom({ ...own, quantity: 1 }, decisions, now);
  expect(bills.slice(0, 3).map((at) => unitCentsAt(price, decisions, at))).toEqual(cents);
});

function change(number: number, beforeCents: number, unitCents: number, from: string): PriceDecision {
  return { kind: 'change', number, beforeCents, unitCents, startsAt: on(from), decidedAt: now };
}

it('a payer has thirty days before a rise that was not told yet', () => {
  const decisions = [change(1, 3000, 3500, '2026-10-01')];
  const price = ownPriceFrom({ unitCents: 3000, quantity: 1, priced: 0 }, decisions, now);
  expect(price.risesFrom).toEqual(plus(now, 30 * day));
  expect(bills.slice(0, 2).map((at) => unitCentsAt(price, decisions, at))).toEqual([3000, 3500]);
});

it('a payer pays nothing more or earlier, whatever was decided and told', () => {
  const random = seededRandom(48);
  const inDays = (from: number, to: number) => Math.floor(from + random() * (to - from));
  for (let life = 0; life < 400; life += 1) {
    const start = plus(now, -200 * day);
    let own: Price = { unitCents: 3000, priced: 0 };
    let catalogue = 3000;
    const decisions: PriceDecision[] = [];
    for (let number = 1, at = start; at < now; number += 1, at = plus(at, inDays(5, 90) * day)) {
      const last = decisions.at(-1);
      const takesBack = last?.kind === 'change' && last.startsAt > at && random() < 0.3;
      const unitCents = takesBack ? last.beforeCents : 2000 + inDays(0, 30) * 100;
      const decision: PriceDecision = takesBack
        ? {
            kind: 'withdrawal',
            number,
            unitCents,
            withdraws: last.number,
            withdrawnCents: last.unitCents,
            decidedAt: at,
          }
        : {
            kind: 'change',
            number,
            unitCents,
            beforeCents: catalogue,
            startsAt: plus(at, inDays(1, 120) * day),
            decidedAt: at,
          };
      decisions.push(decision);
      own = told(own, decision, plus(at, random() < 0.2 ? inDays(0, 20) * day : 0));
      catalogue = unitCents;
    }
    const purchase: OldPurchase = { ...own, quantity: 1 };
    const price = ownPriceFrom(purchase, decisions, now);
    for (const bill of bills)
      for (const at of [bill, plus(bill, 13 * day)])
        expect(unitCentsAt(price, decisions, at), JSON.stringify({ at, own, price, decisions })).toBeLessThanOrEqual(
          oldUnitCentsAt(purchase, at),
        );
  }
});
