import { describe, expect, it } from 'vitest';
import { later, now, sub, tool } from '#client/lib/money/testing/subscription-samples.ts';
import { refusalOf } from './eligibility.ts';

describe('a tool on sale', () => {
  it.each([
    ['it can', 'file-note-ai', [], undefined],
    ['another tool is no reason', 'file-note-ai', [sub('pre-fill-ai')], undefined],
    ['expired is no reason', 'file-note-ai', [sub('file-note-ai', { status: 'expired', hasAccess: false })], undefined],
    ['subscribed', 'file-note-ai', [sub('file-note-ai')], 'You are already subscribed to this tool.'],
    ['coming soon', 'advice-writer-ai', [sub('pre-fill-ai')], 'This tool is coming soon.'],
    [
      'lost money alone',
      'lost-money-ai',
      [sub('pre-fill-ai', { status: 'expired', hasAccess: false })],
      'Lost-Money.ai is free with any other subscription. Please subscribe to another tool first.',
    ],
    ['lost money with another', 'lost-money-ai', [sub('pre-fill-ai')], undefined],
  ])('is refused in the sentence that fits, or sold: %s', (_case, toolId, subscriptions, sentence) => {
    expect(refusalOf(tool(toolId), subscriptions, now)?.sentence).toBe(sentence);
  });

  it('is held after a cancellation, which names the day until which one can reactivate', () => {
    const held = sub('file-note-ai', { status: 'cancelled', hasAccess: false, endDate: now, gracePeriodEnd: later });
    expect(refusalOf(tool('file-note-ai'), [held], now)).toMatchObject({
      sentence: 'You are already subscribed to this tool.',
      detail: 'Your access has ended. You can reactivate it until 28 Nov 2026.',
    });
    expect(refusalOf(tool('file-note-ai'), [held], later)).toBeNull();
  });
});

it('a tool that the practice does not allow is refused before anything else, and can’t be reactivated', () => {
  const refused = [{ toolId: 'file-note-ai', teamName: 'Harbour Advice', reason: 'Data location not stated.' }];
  const held = sub('file-note-ai', { status: 'cancelled', hasAccess: false, gracePeriodEnd: later });
  for (const rows of [[], [sub('file-note-ai')], [held]])
    expect(refusalOf(tool('file-note-ai'), rows, now, null, refused)).toEqual({
      title: 'Not allowed by your practice',
      sentence: 'Harbour Advice doesn’t allow this tool.',
      detail: 'Data location not stated.',
      notAllowed: true,
    });
  expect(refusalOf(tool('pre-fill-ai'), [], now, null, refused)).toBeNull();
});

describe('a tool for a team', () => {
  const shared = sub('file-note-ai', { teamId: 't', teamName: 'Harbour Advice' });

  it('is a purchase of its own, though one has it oneself', () => {
    expect(refusalOf(tool('file-note-ai'), [sub('file-note-ai')], now, 't')).toBeNull();
    expect(refusalOf(tool('file-note-ai'), [shared], now, 't')).toMatchObject({ title: 'Already subscribed' });
    expect(refusalOf(tool('lost-money-ai'), [sub('pre-fill-ai')], now, 't')).toMatchObject({
      title: 'Free with any other subscription',
    });
  });

  it('is refused to a member who wants one of their own', () => {
    expect(refusalOf(tool('file-note-ai'), [shared], now)).toMatchObject({
      sentence: 'You are already subscribed to this tool.',
      detail: 'You have it from your team, Harbour Advice.',
    });
  });
});
