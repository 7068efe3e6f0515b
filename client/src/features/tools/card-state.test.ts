import { describe, expect, it } from 'vitest';
import { later, now, sub, tool } from '#client/lib/money/subscription-samples.ts';
import { cardState } from './card-state.ts';

const cancelledNow = sub('file-note-ai', {
  status: 'cancelled',
  hasAccess: false,
  endDate: now,
  gracePeriodEnd: later,
});

describe('the card of a tool', () => {
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
  ])('offers the step that fits: %s', (_case, toolId, subscriptions, kind) => {
    expect(cardState(tool(toolId), subscriptions, now).kind).toBe(kind);
  });

  it("opens one's own subscription before a team's", () => {
    const own = sub('file-note-ai', { id: 'own' });
    const state = cardState(tool('file-note-ai'), [sub('file-note-ai', { id: 'team', teamId: 't' }), own], now);
    expect(state).toEqual({ kind: 'open', subscription: own });
  });
});
