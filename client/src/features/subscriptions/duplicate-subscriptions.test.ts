import { expect, it } from 'vitest';
import type { Subscription } from '#shared/api/subscriptions.ts';
import { duplicatesOf } from './duplicate-subscriptions.tsx';

const now = new Date('2026-11-21T05:00:00Z');
const later = new Date('2026-12-21T05:00:00Z');
const sub = (toolId: string, details: Partial<Subscription> = {}): Subscription => ({
  id: `${toolId}-${details.teamId ?? 'own'}`,
  toolId,
  teamId: null,
  teamName: null,
  tool: { name: 'File Note AI', description: null, basePrice: '25.00' },
  status: 'active',
  subscriptionType: 'individual',
  autoRenew: true,
  quantity: 1,
  baseCents: 2500,
  discounts: [],
  winBack: null,
  freeUntil: null,
  nextPrice: null,
  paymentProblem: null,
  cardOnFile: true,
  canManage: true,
  monthlyCents: 2500,
  createdAt: now,
  endDate: later,
  gracePeriodEnd: null,
  trialEndDate: null,
  cancelledAt: null,
  paidUntil: null,
  hasAccess: true,
  ...details,
});
const shared = (toolId: string, details: Partial<Subscription> = {}) =>
  sub(toolId, { teamId: 't', teamName: 'Harbour Advice', ...details });

it.each([
  ['both', [sub('file-note-ai'), shared('file-note-ai')], 1],
  [
    "a trial of one's own too",
    [sub('file-note-ai', { status: 'trial', trialEndDate: later }), shared('file-note-ai')],
    1,
  ],
  ['another tool', [sub('file-note-ai'), shared('pre-fill-ai')], 0],
  ["the team's is over", [sub('file-note-ai'), shared('file-note-ai', { hasAccess: false })], 0],
  [
    "one's own is ending already",
    [sub('file-note-ai', { status: 'cancelled', gracePeriodEnd: later }), shared('file-note-ai')],
    0,
  ],
  ["one's own is not renewed", [sub('file-note-ai', { autoRenew: false }), shared('file-note-ai')], 0],
  ['the free tool', [sub('lost-money-ai'), shared('lost-money-ai')], 0],
])('%s', (_case, subscriptions, count) => {
  expect(duplicatesOf(subscriptions, now)).toHaveLength(count);
});
