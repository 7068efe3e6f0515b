import { describe, expect, it } from 'vitest';
import type { Subscription } from '#shared/api/subscriptions.ts';
import type { Tool } from '#shared/api/tools.ts';
import { catalogue } from '#shared/rules/tools.ts';
import { cardState } from './card-state.ts';

const now = new Date('2026-11-21T05:00:00Z');
const later = new Date('2026-11-28T05:00:00Z');

const tool = (id: string): Tool => {
  const {
    name,
    description,
    basePrice,
    icon,
    minutesSaved,
    comingSoon = false,
  } = catalogue.find((each) => each.id === id)!;
  const domain = 'https://tool.example';
  return {
    id,
    name,
    description,
    basePrice,
    icon,
    minutesSaved,
    comingSoon,
    domain,
    isActive: true,
    closed: false,
    createdAt: now,
  };
};
const sub = (toolId: string, details: Partial<Subscription> = {}): Subscription => ({
  id: `${toolId}-row`,
  toolId,
  teamId: null,
  teamName: null,
  tool: tool(toolId),
  status: 'active',
  subscriptionType: 'individual',
  autoRenew: true,
  quantity: 1,
  baseCents: 3000,
  discounts: [],
  winBack: null,
  freeUntil: null,
  nextPrice: null,
  paymentProblem: null,
  cardOnFile: true,
  canManage: true,
  monthlyCents: 3000,
  createdAt: now,
  endDate: later,
  gracePeriodEnd: null,
  trialEndDate: null,
  cancelledAt: null,
  paidUntil: null,
  hasAccess: true,
  ...details,
});

const cancelledNow = sub('file-note-ai', {
  status: 'cancelled',
  hasAccess: false,
  endDate: now,
  gracePeriodEnd: later,
});

describe('what a card offers', () => {
  it.each([
    ['nothing yet', 'file-note-ai', [], 'subscribe'],
    ['subscribed', 'file-note-ai', [sub('file-note-ai')], 'open'],
    ['another tool', 'file-note-ai', [sub('pre-fill-ai')], 'subscribe'],
    ['expired', 'file-note-ai', [sub('file-note-ai', { status: 'expired', hasAccess: false })], 'subscribe'],
    ['cancelled at once: can still be reactivated', 'file-note-ai', [cancelledNow], 'held'],
    [
      'cancelled at once, but open through the team',
      'file-note-ai',
      [cancelledNow, sub('file-note-ai', { teamId: 't' })],
      'open',
    ],
    ['coming soon', 'advice-writer-ai', [], 'coming-soon'],
    ['lost money alone', 'lost-money-ai', [], 'free-with-another'],
    ['lost money with another', 'lost-money-ai', [sub('pre-fill-ai')], 'subscribe'],
    ['lost money, subscribed', 'lost-money-ai', [sub('lost-money-ai')], 'open'],
  ])('%s', (_case, toolId, subscriptions, kind) => {
    expect(cardState(tool(toolId), subscriptions, now).kind).toBe(kind);
  });

  it("opens one's own subscription before a team's", () => {
    const own = sub('file-note-ai', { id: 'own' });
    const state = cardState(tool('file-note-ai'), [sub('file-note-ai', { id: 'team', teamId: 't' }), own], now);
    expect(state).toEqual({ kind: 'open', subscription: own });
  });
});
