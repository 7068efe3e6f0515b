import type { Subscription } from '#shared/api/subscriptions.ts';
import { subscriptionCan } from '#shared/rules/subscriptions.ts';
import { lostMoneyTool } from '#shared/rules/tools.ts';

export type Double = { own: Subscription; teamName: string };

/** Own subscriptions that go on although a team gives the same tool (decisions §7). */
export const doublesOf = (subscriptions: readonly Subscription[], now: Date): Double[] =>
  subscriptions
    .filter((own) => own.teamId === null && own.toolId !== lostMoneyTool && own.autoRenew)
    .filter((own) => own.hasAccess && subscriptionCan.cancel(own, now))
    .flatMap((own) => {
      const shared = subscriptions.find((sub) => sub.teamId !== null && sub.toolId === own.toolId && sub.hasAccess);
      return shared?.teamName ? [{ own, teamName: shared.teamName }] : [];
    });
