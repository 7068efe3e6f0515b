import { describe, expect, it } from 'vitest';
import { type Asker, createWaitingLine } from './waiting-line.ts';

const line = (limit = 8, share = 3) => createWaitingLine<string>({ limit, share });
/** Enters each as `key:name`, known ones with a star, and returns the order in which they are served. */
function orderOf(arrivals: string[], made = line()): string[] {
  for (const arrival of arrivals) made.enter(arrival, { key: arrival.split(':')[0]!, first: arrival.startsWith('*') });
  return Array.from(arrivals, () => made.next()).filter((one) => one !== undefined);
}

describe('a waiting line', () => {
  it.each([
    ['one asker: as they came', ['a:1', 'a:2', 'a:3'], ['a:1', 'a:2', 'a:3']],
    ['a flood from one address: others come between', ['a:1', 'a:2', 'a:3', 'b:1'], ['a:1', 'b:1', 'a:2', 'a:3']],
    ['known devices before all', ['a:1', 'b:1', '*c:1'], ['*c:1', 'a:1', 'b:1']],
    ['no more than a share', ['a:1', 'a:2', 'a:3', 'a:4', 'b:1'], ['a:1', 'b:1', 'a:2', 'a:3']],
    [
      'strangers never fill it for known devices',
      ['a:1', 'b:1', 'c:1', 'd:1', 'e:1', 'f:1', 'g:1', '*h:1', '*i:1'],
      ['*h:1', '*i:1', 'a:1', 'b:1', 'c:1', 'd:1', 'e:1', 'f:1'],
    ],
  ])('serves in its order: %s', (_kind, arrivals, order) => expect(orderOf(arrivals)).toEqual(order));

  it('serves whoever was never served before those who were, however many they are', () => {
    const made = line(40, 3);
    orderOf(['a:1', 'b:1', 'c:1'], made);
    expect(orderOf(['a:2', 'b:2', 'c:2', 'new:1'], made)).toEqual(['new:1', 'a:2', 'b:2', 'c:2']);
  });

  it('drops those who hung up, who then cost no work and keep no place', () => {
    const made = line(8, 1);
    let gone = false;
    const asker: Asker = { key: 'a', hungUp: () => gone };
    expect(made.enter('left', asker)).toBe(true);
    expect(made.enter('refused', asker)).toBe(false);
    gone = true;
    expect(made.enter('stays', { key: 'a' })).toBe(true);
    expect([made.next(), made.next()]).toEqual(['stays', undefined]);
  });
});
