import type { Subscription } from '#shared/api/subscriptions.ts';
import type { Tool } from '#shared/api/tools.ts';
import { purchaseRefusals } from '#shared/api/purchase-refusals.ts';
import { formatSydneyDate } from '#shared/rules/dates.ts';
import { subscriptionCan } from '#shared/rules/billing/subscriptions.ts';
import { lostMoneyTool } from '#shared/rules/tools/tools.ts';
import type { NotAllowed } from '#client/lib/money/not-allowed.ts';

/** Why this tool can't be bought now, in the server's words. */
export type Refusal = { title: string; sentence: string; detail?: string; notAllowed?: true };

const runs: readonly Subscription['status'][] = ['trial', 'active', 'grace_period'];

/**
 * Null if the tool can be bought; the server checks it again. A team buys for itself, but an adviser who has the tool
 * from a team needs none of their own.
 */
export const refusalOf = (
  tool: Tool,
  subscriptions: readonly Subscription[],
  now: Date,
  teamId: string | null = null,
  notAllowed: readonly NotAllowed[] = [],
): Refusal | null => {
  const forbidden = notAllowed.find(({ toolId }) => toolId === tool.id);
  if (forbidden)
    return {
      title: 'Not allowed by your practice',
      notAllowed: true,
      sentence: `${forbidden.teamName} doesn’t allow this tool.`,
      ...(forbidden.reason && { detail: forbidden.reason }),
    };
  const payers = teamId === null ? subscriptions : subscriptions.filter((sub) => sub.teamId === teamId);
  const mine = payers.filter((sub) => sub.toolId === tool.id);
  const held = mine.find((sub) => subscriptionCan.reactivate(sub, now));
  // A team's owner may have chosen others to use it.
  const open = mine.some((sub) => sub.hasAccess || (teamId !== null && runs.includes(sub.status)));
  if (open || held) {
    const shared = teamId === null && mine.find((sub) => sub.hasAccess && sub.teamId !== null);
    const own = mine.some((sub) => sub.hasAccess && sub.teamId === null);
    const until = !open && held?.gracePeriodEnd;
    return {
      title: 'Already subscribed',
      sentence: purchaseRefusals.already_subscribed[1],
      ...(until ? { detail: `Your access has ended. You can reactivate it until ${formatSydneyDate(until)}.` } : {}),
      ...(shared && !own ? { detail: `You have it from your team, ${shared.teamName ?? 'your team'}.` } : {}),
    };
  }
  if (tool.closed) return { title: 'Closed to new subscribers', sentence: purchaseRefusals.tool_closed[1] };
  if (tool.comingSoon) return { title: 'Coming Soon', sentence: purchaseRefusals.coming_soon[1] };
  if (tool.id === lostMoneyTool && !payers.some((sub) => sub.hasAccess))
    return { title: 'Free with any other subscription', sentence: purchaseRefusals.lost_money_gate[1] };
  return null;
};
