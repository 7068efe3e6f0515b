import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Request, Response } from 'express';
import type pg from 'pg';
import { addressOf } from '#shared/api/address.ts';
import type { Context } from '#server/platform/context.ts';
import { type Call, callsOf } from '#server/platform/pages/first-views.ts';
import type { Reads } from '#server/platform/http/implement.ts';
import type { OwnAnswers } from '#server/platform/pages/page-html.ts';
import { createSessions } from '#server/platform/http/session.ts';

/** A page waits no longer than this for answers that it can ask for itself. */
const patienceMs = 1000;
/** In characters. The page asks for larger answers itself: they would hold up the code behind them. */
const largest = 64_000;

/**
 * Answers the calls of a page's first view along with the page, each as usual, with the rights of whoever asks. A call that is refused,
 * fails or is too large is left out, and so are all of them if they take too long; the browser makes those calls itself.
 */
export function createOwnAnswers(context: Context, reads: Reads, patience = patienceMs) {
  const { middleware } = createSessions(context.env, context.db.$client as pg.Pool, () => Promise.resolve(null));

  const answer = async (req: Request, [endpoint, parts = {}]: Call) => {
    const json = await reads.get(endpoint)!(req, parts).catch(() => undefined);
    const tooLarge = json === undefined || json.length > largest;
    return tooLarge ? [] : [[addressOf(endpoint, parts), JSON.parse(json) as unknown] as const];
  };
  const all = async (req: Request, res: Response): Promise<OwnAnswers | null> => {
    for (const handler of middleware) await promisify(handler)(req, res);
    if (!req.user) return null;
    const found = await Promise.all(callsOf(req.path, req.query['tab']).map((call) => answer(req, call)));
    return { at: context.now().toISOString(), answers: Object.fromEntries(found.flat()) };
  };
  return async (req: Request, res: Response): Promise<OwnAnswers | null> => {
    const waiting = new AbortController();
    const late = sleep(patience, null, { signal: waiting.signal }).catch(() => null);
    const answers = await Promise.race([all(req, res).catch(() => null), late]);
    waiting.abort();
    return answers;
  };
}
