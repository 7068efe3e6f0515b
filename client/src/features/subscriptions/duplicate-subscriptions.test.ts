import { expect, it } from 'vitest';
import type { Subscription } from '#shared/api/subscriptions.ts';
import { later, now, sub } from '#client/lib/money/subscription-samples.ts';
import { duplicatesOf } from './duplicate-subscriptions.tsx';

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
])('a tool that one pays for oneself and has from a team is found twice: %s', (_case, subscriptions, count) => {
  expect(duplicatesOf(subscriptions, now)).toHaveLength(count);
});
