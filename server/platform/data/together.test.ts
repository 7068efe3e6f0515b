import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { sharing } from './together.ts';

/** A look-up whose queries are answered by hand, each with the version it is to have read. */
function byHand() {
  const asked: { keys: readonly string[]; answer: (version: number) => void; fail: (why?: string) => void }[] = [];
  const find = sharing<string>(
    (keys) =>
      new Promise((resolve, reject) => {
        asked.push({
          keys,
          answer: (version) => resolve(keys.map((key) => `${key}${version}`)),
          fail: (why = 'away') => reject(new Error(why)),
        });
      }),
    { atOnce: 3 },
  );
  return { asked, find, sent: () => asked.map(({ keys }) => keys.join('')) };
}

describe('look-ups that share their queries', () => {
  it('ask once for all who come together, and answer each its own', async () => {
    const { asked, find, sent } = byHand();
    const answers = Promise.all(['a', 'b', 'a'].map(find));
    await turn();
    await turn();
    expect(sent()).toEqual(['aba']);
    asked[0]!.answer(1);
    expect(await answers).toEqual(['a1', 'b1', 'a1']);
  });

  it('give nobody what was read before they asked', async () => {
    const { asked, find, sent } = byHand();
    const early = find('a');
    await turn();
    await turn();
    const late = find('a');
    await turn();
    await turn();
    expect(sent()).toEqual(['a', 'a']);
    asked[1]!.answer(2);
    asked[0]!.answer(1);
    expect([await early, await late]).toEqual(['a1', 'a2']);
  });

  const twoUnderWay = async () => {
    const hand = byHand();
    const first = hand.find('a');
    await turn();
    await turn();
    const second = hand.find('b');
    await turn();
    await turn();
    const others = ['c', 'd', 'e', 'f'].map(hand.find);
    await turn();
    await turn();
    expect(hand.sent()).toEqual(['a', 'b']);
    return { ...hand, first, second, others };
  };

  it('wait while two queries are under way, and go on together', async () => {
    const { asked, sent, first, second, others } = await twoUnderWay();
    asked[0]!.answer(1);
    expect(await first).toBe('a1');
    expect(sent()).toEqual(['a', 'b', 'cde']);
    asked[1]!.answer(1);
    await second;
    await turn();
    expect(sent()).toEqual(['a', 'b', 'cde', 'f']);
    asked[2]!.answer(2);
    asked[3]!.answer(3);
    expect(await Promise.all(others)).toEqual(['c2', 'd2', 'e2', 'f3']);
  });

  it('wait no longer once a query has failed, as each would wait for those before it behind a database that is away', async () => {
    const { asked, sent, first, second, others } = await twoUnderWay();
    asked[0]!.fail();
    await expect(first).rejects.toThrow('away');
    expect(sent()).toEqual(['a', 'b', 'cde', 'f']);
    for (const one of asked.slice(1)) one.answer(1);
    expect(await Promise.all([second, ...others])).toEqual(['b1', 'c1', 'd1', 'e1', 'f1']);
  });

  it('fail without a query where the database did not answer those before them; who asks later is answered', async () => {
    const { asked, find, sent, first, second, others } = await twoUnderWay();
    const told = Promise.allSettled(others);
    asked[0]!.fail('Query read timeout');
    await expect(first).rejects.toThrow('Query read timeout');
    expect((await told).map(({ status }) => status)).toEqual(others.map(() => 'rejected'));
    expect(sent()).toEqual(['a', 'b']);
    asked[1]!.answer(1);
    expect(await second).toBe('b1');
    const later = find('g');
    await turn();
    await turn();
    asked[2]!.answer(2);
    expect(await later).toBe('g2');
  });
});
