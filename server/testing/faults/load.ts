/** What a load saw: answers by status with the slowest of each, and everything that should not have been. */
export type Tally = { seen: Map<number, { count: number; slowestMs: number }>; wrong: string[] };

export const countOf = (tally: Tally, status: number) => tally.seen.get(status)?.count ?? 0;
export const slowestOf = (tally: Tally, status: number) => tally.seen.get(status)?.slowestMs ?? 0;

/** The product's own "busy", or why this 503 is not it. */
function faultOfBusy(answer: Response, text: string): string | null {
  if (!answer.headers.get('content-type')?.startsWith('application/json')) return 'no JSON';
  if (!answer.headers.has('retry-after')) return 'no Retry-After';
  const { code, message, requestId } = JSON.parse(text) as Record<string, unknown>;
  return ['busy', 'payment_provider_unavailable'].includes(String(code)) && message && requestId ? null : text;
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

/** Repeats each request, one after the other, until stopped. */
export function steadyLoad(requests: (() => Promise<Response>)[]): { tally: Tally; stop(): Promise<Tally> } {
  const tally: Tally = { seen: new Map(), wrong: [] };
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
