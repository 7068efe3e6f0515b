import type { Request, RequestHandler, Response } from 'express';
import type pg from 'pg';
import { dashboardParts } from '#shared/api/dashboard.ts';
import type { Context } from '#server/platform/context.ts';
import { readOf } from '#server/platform/implement.ts';
import type { OwnAnswers } from '#server/platform/page-html.ts';
import { createSessions } from '#server/platform/session.ts';

/** A page waits no longer than this for answers that it can ask for itself. */
const patienceMs = 1000;
/** In characters. The page asks for larger answers itself: they would hold up the code behind them. */
const largest = 64_000;

const always = ['/api/user', '/api/notifications/unread-count'];
const money = [
  '/api/tools',
  '/api/user/subscriptions',
  '/api/discounts/tiers',
  '/api/teams/my',
  '/api/winback/offers',
  '/api/record/not-allowed',
];
const home = Object.values(dashboardParts).map(({ path }) => path);
const billing = ['/api/billing/payment-method', '/api/billing/address', '/api/billing/invoices?page=1'];

/** The calls a page begins with, as the browser would write them. */
function callsOf({ path, query }: Request): string[] {
  if (path === '/' || path === '/dashboard') return [...home, ...(query['tab'] === 'billing' ? billing : [])];
  const toolId = /^\/subscribe\/([\w-]+)$/.exec(path)?.[1];
  if (!toolId) return always;
  return [
    ...always,
    ...money,
    `/api/tools/${toolId}/texts`,
    `/api/pricing/quote?toolId=${toolId}`,
    '/api/billing/payment-method',
  ];
}

const through = (handler: RequestHandler, req: Request, res: Response) =>
  new Promise<void>((resolve, reject) => {
    void handler(req, res, (error: unknown) =>
      error ? reject(error instanceof Error ? error : new Error('session')) : resolve(),
    );
  });

/**
 * Answers the calls of a page's first view along with the page, each as usual, with the rights of whoever asks. A call that is refused,
 * fails or is too large is left out, and so are all of them if they take too long; the browser makes those calls itself.
 */
export function createOwnAnswers(context: Context, patience = patienceMs) {
  const { middleware } = createSessions(context.env, context.db.$client as pg.Pool, () => Promise.resolve(null));

  const answer = async (req: Request, address: string) => {
    const { pathname, searchParams } = new URL(address, context.env.appUrl);
    const json = await readOf(context, pathname)?.(req, Object.fromEntries(searchParams)).catch(() => undefined);
    return json === undefined || json.length > largest ? [] : [[address, JSON.parse(json) as unknown] as const];
  };
  const all = async (req: Request, res: Response): Promise<OwnAnswers | null> => {
    for (const handler of middleware) await through(handler, req, res);
    if (!req.user) return null;
    const found = await Promise.all(callsOf(req).map((address) => answer(req, address)));
    return { at: context.now().toISOString(), answers: Object.fromEntries(found.flat()) };
  };
  return async (req: Request, res: Response): Promise<OwnAnswers | null> => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), patience);
    });
    const answers = await Promise.race([all(req, res).catch(() => null), late]);
    clearTimeout(timer);
    return answers;
  };
}
