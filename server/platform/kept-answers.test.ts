import { describe, expect, it } from 'vitest';
import { createKeptAnswers } from './kept-answers.ts';

const person = { id: 'a', email: 'a@practice.example' };
const other = { id: 'b', email: 'b@practice.example' };

/** Answers numbered as they are made, with version and time set by hand. */
function byHand(body = (number: number) => String(number)) {
  const now = { version: 'first', time: Date.parse('2026-03-01T10:00:10.000Z') };
  const made = { number: 0 };
  const keep = createKeptAnswers(
    (asker) => Promise.resolve(`${now.version} ${asker?.id ?? ''}`),
    () => new Date(now.time),
  );
  const make = () => Promise.resolve(body((made.number += 1)));
  return { now, keep, ask: (asker: typeof person | null = person, call = '/call') => keep(asker, call, make) };
}

describe('a kept answer', () => {
  it('is each person’s and call’s own', async () => {
    const { ask } = byHand();
    const asked = [() => ask(), () => ask(other), () => ask(null), () => ask(person, '/call [query]')];
    for (const [index, one] of asked.entries()) expect(await one()).toBe(String(index + 1));
    for (const [index, one] of asked.entries()) expect(await one()).toBe(String(index + 1));
  });

  it('is made again once its rows have another version', async () => {
    const { ask, now } = byHand();
    expect(await ask()).toBe('1');
    now.version = 'second';
    expect(await ask()).toBe('2');
    now.version = 'first';
    expect(await ask()).toBe('3');
  });

  it('is made again where a row changed while it was made', async () => {
    const { keep, now } = byHand();
    const slow = async () => {
      now.version = 'second';
      return Promise.resolve('half old');
    };
    expect(await keep(person, '/call', slow)).toBe('half old');
    expect(await keep(person, '/call', () => Promise.resolve('new'))).toBe('new');
  });

  it('lasts until the minute ends, the next moment that it names, or the clock goes back', async () => {
    const { ask, now } = byHand((number) => JSON.stringify({ number, endDate: '2026-03-01T10:01:20.000Z' }));
    const at = async (time: string) => {
      now.time = Date.parse(`2026-03-01T${time}Z`);
      return (JSON.parse(await ask()) as { number: number }).number;
    };
    expect(await at('10:00:10.000')).toBe(1);
    expect(await at('10:00:59.999')).toBe(1);
    expect(await at('10:01:00.000')).toBe(2);
    expect(await at('10:01:19.999')).toBe(2);
    expect(await at('10:01:20.000')).toBe(3);
    expect(await at('10:01:59.000')).toBe(3);
    expect(await at('10:00:59.000')).toBe(4);
  });

  it('is not kept where making it fails', async () => {
    const { keep, ask } = byHand();
    await expect(keep(person, '/call', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await ask()).toBe('1');
  });
});
