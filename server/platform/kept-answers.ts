import { LRUCache } from 'lru-cache';
import { minute } from '#shared/rules/dates.ts';

type Asker = { id: string; email: string } | null;

/** A text that is another as soon as a row has changed of which the kept answers of whoever asks are made. */
export type VersionOf = (asker: Asker) => Promise<string>;

/** The answer to a call as it is sent: the one kept, or what `make` writes now. */
export type KeptAnswers = (asker: Asker, call: string, make: () => Promise<string>) => Promise<string>;

type Kept = { version: string; from: number; until: number; json: string };

/** Characters of all that is kept; what was not asked for the longest goes first. */
const most = 8_000_000;

const moments = /"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)"/g;

/** Until when time alone changes nothing in it: the next moment that it names, or the end of the minute. */
function staysUntil(json: string, now: number): number {
  const named = [...json.matchAll(moments)].map(([, moment]) => Date.parse(moment!)).filter((moment) => moment > now);
  return Math.min(...named, (Math.floor(now / minute) + 1) * minute);
}

/**
 * Remembers answers with the version of the rows that they were made of. That is read with every question, so that no answer is older
 * than its rows; and before the answer is made, so that a row that changes in between spoils it.
 */
export function createKeptAnswers(versionOf: VersionOf, now: () => Date): KeptAnswers {
  const kept = new LRUCache<string, Kept>({
    maxSize: most,
    sizeCalculation: ({ version, json }) => version.length + json.length,
  });
  return async (asker, call, make) => {
    const key = `${asker?.id ?? ''} ${call}`;
    const version = await versionOf(asker);
    const at = now().getTime();
    const known = kept.get(key);
    if (known?.version === version && at >= known.from && at < known.until) return known.json;
    const json = await make();
    kept.set(key, { version, from: at, until: staysUntil(json, at), json });
    return json;
  };
}
