import autocannon from 'autocannon';

export type Load = { perSecond: number; p50: number; p99: number; errors: number };

/** 50 connections for some seconds against one address; an answer that is not 2xx counts as an error. */
export async function load(url: string, { cookie = '', seconds = 5, connections = 50 } = {}): Promise<Load> {
  const result = await autocannon({ url, connections, duration: seconds, headers: cookie ? { cookie } : {} });
  return {
    perSecond: result.requests.average,
    p50: result.latency.p50,
    p99: result.latency.p99,
    errors: result.errors + result.non2xx + result.timeouts,
  };
}

/** The run with the middle throughput of three. */
export async function median(run: () => Promise<Load>): Promise<Load> {
  const runs = [await run(), await run(), await run()];
  return runs.toSorted((a, b) => a.perSecond - b.perSecond)[1]!;
}

export const row = (cells: (string | number)[]) => `| ${cells.join(' | ')} |`;
export const round = (value: number, digits = 0) => value.toFixed(digits);
