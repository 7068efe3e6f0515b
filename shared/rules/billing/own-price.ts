/** How many days before the first bill at a higher price its payer is told. */
export const noticeDays = 30;
export const longestNoticeDays = 366;

/**
 * The unit price that one subscription has, whatever the tool costs others: what it was bought at, and the last decision about the
 * tool's price that preceded the purchase. `risesFrom`: who was told late pays no higher price before that moment.
 */
export type OwnPrice = { unitCents: number; number: number; risesFrom?: Date | null };

/** What an administrator decided for existing subscribers of the tool; decisions follow each other by `number`. */
export type PriceDecision =
  | { kind: 'change'; number: number; unitCents: number; beforeCents: number; startsAt: Date; decidedAt: Date }
  | {
      kind: 'withdrawal';
      number: number;
      unitCents: number;
      withdraws: number;
      withdrawnCents: number;
      decidedAt: Date;
    };

type Step = { at: Date; number: number; unitCents: number; rises: boolean };

/**
 * What a bill of that moment asks for. A rise reaches those who pay less, a cut those who pay more; what was announced never
 * becomes dearer or earlier, so a rise goes no higher than a decision that was taken before it began, and one that is taken back
 * still makes those cheaper who pay more.
 */
export function unitCentsAt(own: OwnPrice, decisions: readonly PriceDecision[], at: Date): number {
  const later = decisions.filter(({ number }) => number > own.number);
  const withdrawn = new Set(decisions.flatMap((one) => (one.kind === 'withdrawal' ? [one.withdraws] : [])));
  const steps = later.flatMap((one): Step[] => {
    const { number, unitCents } = one;
    if (one.kind === 'withdrawal') {
      const boughtAtIt = own.number >= one.withdraws && own.unitCents === one.withdrawnCents;
      return boughtAtIt ? [{ at: one.decidedAt, number, unitCents, rises: false }] : [];
    }
    const rises = unitCents > one.beforeCents && !withdrawn.has(number);
    const begins = rises && own.risesFrom && own.risesFrom > one.startsAt ? own.risesFrom : one.startsAt;
    const cap = later.filter((next) => next.kind === 'change' && next.number > number && next.decidedAt < begins);
    return [{ at: begins, number, unitCents: Math.min(unitCents, ...cap.map((next) => next.unitCents)), rises }];
  });
  return steps
    .filter((step) => step.at <= at)
    .toSorted((a, b) => a.at.getTime() - b.at.getTime() || a.number - b.number)
    .reduce((cents, step) => (step.rises || cents > step.unitCents ? step.unitCents : cents), own.unitCents);
}
