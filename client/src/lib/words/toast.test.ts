import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { currentToasts, dismissToast, toast } from '#client/lib/words/toast.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.runAllTimers();
  vi.useRealTimers();
});

it('the page shows one toast at a time: the newest', () => {
  toast({ title: 'First' });
  toast({ title: 'Second', variant: 'destructive' });
  expect(currentToasts().map(({ title, open }) => [title, open])).toEqual([['Second', true]]);
});

it('a dismissed toast is removed after 1,000,000 ms', () => {
  const { dismiss } = toast({ title: 'Going' });
  dismiss();
  expect(currentToasts()).toMatchObject([{ title: 'Going', open: false }]);
  vi.advanceTimersByTime(999_999);
  expect(currentToasts()).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(currentToasts()).toEqual([]);
});

it('a newer toast stays when an older one is dismissed', () => {
  const older = toast({ title: 'Older' });
  toast({ title: 'Newer' });
  dismissToast(older.id);
  expect(currentToasts()).toMatchObject([{ title: 'Newer', open: true }]);
});
