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
    expect(made.enter('left', asker).entered).toBe(true);
    expect(made.enter('refused', asker).entered).toBe(false);
    gone = true;
    expect(made.enter('stays', { key: 'a' }).entered).toBe(true);
    expect([made.next(), made.next()]).toEqual(['stays', undefined]);
  });

  /** Fills a line of eight with these arrivals; returns who is still in it after one more, if that one got in. */
  const after = (arrivals: string[], newcomer: Asker) => {
    const made = line(8, 8);
    for (const arrival of arrivals) made.enter(arrival, askerOf(arrival));
    const { entered } = made.enter('new', newcomer);
    return { entered, left: made.clear().toSorted() };
  };
  const askerOf = (arrival: string): Asker => ({ key: arrival.split(':')[0]!, first: arrival.startsWith('*') });
  const member = ['*a:1', '*a:2', '*a:3', '*a:4', '*b:1', '*b:2', '*c:1', '*d:1'];

  it.each([
    ['a stranger', { key: 'new' }],
    ['a known device', { key: 'new', first: true }],
  ])('that members have filled lets in %s, who displaces the last of whoever holds most places', (_who, asker) =>
    expect(after(member, asker)).toEqual({
      entered: true,
      left: [...member.filter((one) => one !== '*a:4'), 'new'].toSorted(),
    }),
  );

  it.each([
    ['whoever holds as many places as anybody', member, { key: '*a', first: true }],
    ['a newcomer, where nobody holds more than one', [...'abcdefgh'].map((name) => `*${name}:1`), { key: 'new' }],
  ])('that is full refuses %s', (_who, arrivals, asker) =>
    expect(after(arrivals, asker)).toEqual({ entered: false, left: arrivals.toSorted() }),
  );

  it('counts the networks of one customer together', () => {
    const made = line(40, 8);
    const network = [{ key: 'wide', worth: 4 }];
    for (let i = 0; i < 40; i += 1) made.enter(`w${i}`, { key: `narrow${i}`, networks: network });
    expect(made.enter('new', { key: 'new' })).toEqual({ entered: true, displaced: 'w29' });
    expect(made.next()).toBe('w0');
    // Served once, the whole network waits for others.
    expect(made.next()).toBe('new');
  });

  it('does one thing at a time for each person or known device, where it is asked to', () => {
    const made = createWaitingLine<string>({ limit: 8, share: 8, oneEach: true });
    const askers = { a: { key: 'a', first: true }, b: { key: 'b', first: true } };
    for (const one of ['a:1', 'a:2', 'b:1']) made.enter(one, one.startsWith('a') ? askers.a : askers.b);
    expect([made.next(), made.next(), made.next()]).toEqual(['a:1', 'b:1', undefined]);
    made.done(askers.a);
    expect(made.next()).toBe('a:2');
  });

  it('takes a stranger after three of those who go first, so that accounts, which anybody can make, shut nobody out', () =>
    expect(orderOf(['x:1', '*a:1', '*b:1', '*c:1', '*d:1'])).toEqual(['*a:1', '*b:1', '*c:1', 'x:1', '*d:1']));
});
