import { describe, expect, it } from 'vitest';
import { lastUsedText } from './usage.ts';

const now = new Date('2026-11-21T05:00:00Z');
const at = (iso: string) => new Date(iso);
describe('last used', () => {
  it.each([
    [null, 'Never'],
    ['2026-11-21T05:00:00Z', 'less than 1 hour ago'],
    ['2026-11-21T05:00:20Z', 'less than 1 hour ago'],
    ['2026-11-21T04:00:01Z', 'less than 1 hour ago'],
    ['2026-11-21T04:00:00Z', '1 hour ago'],
    ['2026-11-21T02:10:00Z', '2 hours ago'],
    ['2026-11-20T05:00:01Z', '23 hours ago'],
    ['2026-11-20T05:00:00Z', '1 day ago'],
    ['2026-11-19T11:00:00Z', '2 days ago'],
    ['2026-10-21T05:00:00Z', '31 days ago'],
  ])('%s: %s', (lastUsed, text) => {
    expect(lastUsedText(lastUsed === null ? null : at(lastUsed), now)).toBe(text);
  });
});
