import { setTimeout as pause } from 'node:timers/promises';

/** Asks again and again until the answer is truthy; returns it, and how long that took in milliseconds. */
export async function until<T>(
  what: string,
  limitMs: number,
  ask: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  everyMs = 20,
): Promise<{ value: T; ms: number }> {
  const begin = performance.now();
  for (;;) {
    const value = await ask();
    if (value) return { value, ms: performance.now() - begin };
    if (performance.now() - begin > limitMs) throw new Error(`after ${seconds(limitMs)} still not: ${what}`);
    await pause(everyMs);
  }
}

/** Throws the sentence unless the condition holds. */
export function expect(condition: unknown, sentence: string): asserts condition {
  if (!condition) throw new Error(sentence);
}

export const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

/** A whole number from 0 to `below` − 1. */
export const random = (below: number) => Math.floor(Math.random() * below);
