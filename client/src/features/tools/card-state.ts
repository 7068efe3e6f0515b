import type { Subscription } from '#shared/api/subscriptions.ts';
import type { Tool } from '#shared/api/tools.ts';
import { subscriptionCan } from '#shared/rules/billing/subscriptions.ts';
import { lostMoneyTool } from '#shared/rules/tools/tools.ts';
import type { NotAllowed } from '#client/lib/money/not-allowed.ts';

export type CardState =
  | { kind: 'open'; subscription: Subscription }
  /** Access has ended, but it can be reactivated; subscribing again would be refused. */
  | { kind: 'held'; subscription: Subscription }
  /** A practice doesn't allow it; any subscription to it continues. */
  | { kind: 'not-allowed'; teamName: string; reason: string | null; subscription: Subscription | null }
  | { kind: 'coming-soon' }
  | { kind: 'free-with-another' }
  | { kind: 'subscribe' };

/** What a tool's card offers. The adviser's own subscription comes before a team's. */
export const cardState = (
  tool: Tool,
  subscriptions: readonly Subscription[],
  now: Date,
  notAllowed: readonly NotAllowed[] = [],
): CardState => {
  const mine = subscriptions
    .filter((sub) => sub.toolId === tool.id)
    .toSorted((a, b) => Number(a.teamId !== null) - Number(b.teamId !== null));
  const open = mine.find((sub) => sub.hasAccess);
  const refusal = notAllowed.find(({ toolId }) => toolId === tool.id);
  if (refusal) {
    const { teamName, reason } = refusal;
    const held = mine.find((sub) => sub.hasAccess || subscriptionCan.reactivate(sub, now)) ?? null;
    return { kind: 'not-allowed', teamName, reason, subscription: held };
  }
  if (open) return { kind: 'open', subscription: open };
  const held = mine.find((sub) => subscriptionCan.reactivate(sub, now));
  if (held) return { kind: 'held', subscription: held };
  if (tool.comingSoon) return { kind: 'coming-soon' };
  const another = subscriptions.some((sub) => sub.hasAccess);
  return tool.id === lostMoneyTool && !another ? { kind: 'free-with-another' } : { kind: 'subscribe' };
};
