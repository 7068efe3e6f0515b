import type { Subscription } from '#shared/api/subscriptions.ts';

export type Charged = Pick<
  Subscription,
  'toolId' | 'canManage' | 'teamId' | 'status' | 'autoRenew' | 'monthlyCents' | 'cardOnFile' | 'endDate'
>;

/** After a hand-over the team has no card until its new owner adds one. */
const lacksCard = (sub: Charged) =>
  sub.canManage &&
  sub.teamId !== null &&
  sub.status === 'active' &&
  sub.autoRenew &&
  sub.monthlyCents > 0 &&
  !sub.cardOnFile;

/** What a team without a card is charged for first. Nobody is asked to pay for what their practice doesn't allow. */
export const firstWithoutCard = <T extends Charged>(
  subscriptions: readonly T[],
  notAllowed: readonly { toolId: string }[],
): T | undefined =>
  subscriptions
    .filter((sub) => lacksCard(sub) && notAllowed.every(({ toolId }) => toolId !== sub.toolId))
    .toSorted((a, b) => Number(a.endDate) - Number(b.endDate))[0];
