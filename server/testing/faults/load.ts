import { setTimeout as pause } from 'node:timers/promises';
import { expect, seconds } from '../until.ts';

/** What a load saw: how many answers of each status and the slowest of them, and everything that went wrong. */
export type Tally = { seen: Map<number, { count: number; slowestMs: number }>; wrong: string[] };

export const countOf = (tally: Tally, status: number) => tally.seen.get(status)?.count ?? 0;
export const slowestOf = (tally: Tally, status: number) => tally.seen.get(status)?.slowestMs ?? 0;

/** Why this 503 is not the product's own "busy"; null if it is. */
function faultOfBusy(answer: Response, text: string): string | null {
  if (!answer.headers.get('content-type')?.startsWith('application/json')) return 'no JSON';
  if (!answer.headers.has('retry-after')) return 'no Retry-After';
  const { code, message, requestId } = JSON.parse(text) as Record<string, unknown>;
  return ['busy', 'payment_provider_unavailable'].includes(String(code)) && message && requestId ? null : text;
}

export const newTally = (): Tally => ({ seen: new Map(), wrong: [] });

/** Throws unless every answer was a success or "busy". */
export const expectNothingWrong = ({ wrong }: Tally) =>
  expect(wrong.length === 0, `${wrong.length} wrong answers, e.g. ${wrong[0]}`);

/** Throws unless all were served, each within so many milliseconds. */
export function expectServed(tally: Tally, withinMs: number): void {
  expectNothingWrong(tally);
  expect(countOf(tally, 503) === 0, `the others: ${statusLine(tally)}`);
  expect(slowestOf(tally, 200) < withinMs, `somebody else waited ${seconds(slowestOf(tally, 200))}`);
}

/** Makes one request and notes the answer; anything but success and "busy" is wrong, and so is no answer at all. */
export async function note(tally: Tally, ask: () => Promise<Response>): Promise<number> {
  const begin = performance.now();
  try {
    const answer = await ask();
    const text = await answer.text();
    const ms = performance.now() - begin;
    const known = tally.seen.get(answer.status);
    tally.seen.set(answer.status, {
      count: (known?.count ?? 0) + 1,
      slowestMs: Math.max(known?.slowestMs ?? 0, ms),
    });
    const fault = answer.ok ? null : answer.status === 503 ? faultOfBusy(answer, text) : text;
    if (fault) tally.wrong.push(`${new URL(answer.url).pathname} ${answer.status}: ${fault.slice(0, 200)}`);
    return answer.status;
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    tally.wrong.push(`no answer: ${cause instanceof Error ? cause.message : String(cause)}`);
    return 0;
  }
}

/** Asks again, as Retry-After says, while the machine is too slow for so much at once ("busy"); null if no answer came. */
export async function askUntilDecided(
  ask: () => Promise<Response | null>,
  onBusy?: () => void,
): Promise<Response | null> {
  for (;;) {
    const answer = await ask();
    if (answer?.status !== 503) return answer;
    onBusy?.();
    await pause(1000 * Number(answer.headers.get('retry-after')));
  }
}

/** Repeats each request in a loop of its own until stopped. */
export function steadyLoad(requests: (() => Promise<Response>)[]): { tally: Tally; stop(): Promise<Tally> } {
  const tally = newTally();
  let stopped = false;
  const workers = requests.map(async (ask) => {
    while (!stopped) await note(tally, ask);
  });
  return {
    tally,
    stop: async () => {
      stopped = true;
      await Promise.all(workers);
      return tally;
    },
  };
}

/** "3×409, 1×200". */
export const statusLine = (tally: Tally) =>
  [...tally.seen]
    .toSorted(([a], [b]) => a - b)
    .map(([status, { count }]) => `${count}×${status}`)
    .join(', ');
