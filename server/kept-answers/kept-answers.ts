import { LRUCache } from 'lru-cache';
import { minute } from '#shared/rules/dates.ts';
import type { Asker, KeptAnswers } from '#server/platform/context.ts';

/** A text that changes as soon as any row does that the asker's kept answers are made of. */
export type VersionOf = (asker: Asker) => Promise<string>;

type KeptAnswer = { version: string; from: number; until: number; json: string };

/** How many characters are kept in all; what was asked for longest ago goes first. */
const most = 8_000_000;

const moments = /"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)"/g;

/** Until when the passing of time alone can't change the answer: the next moment that it names, or the end of the minute. */
function staysUntil(json: string, now: number): number {
  const named = [...json.matchAll(moments)].map(([, moment]) => Date.parse(moment!)).filter((moment) => moment > now);
  return Math.min(...named, (Math.floor(now / minute) + 1) * minute);
}

/**
 * Remembers answers with the version of the rows they were made of. The version is read at every call, so that no answer is older than
 * its rows, and before the answer is made, so that a row that changes meanwhile invalidates it.
 */
export function createKeptAnswers(versionOf: VersionOf, now: () => Date): KeptAnswers {
  const kept = new LRUCache<string, KeptAnswer>({
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
