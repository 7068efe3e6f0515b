import type { RequestHandler } from 'express';
import { AppError } from './app-error.ts';

const safe = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses writes that another site's page makes a browser send. Browsers name the source in `Sec-Fetch-Site`, older ones only in
 * `Origin`. A caller with neither is not a browser, and sends no cookie of its own accord.
 */
export function sameOrigin(appUrl: string, isExempt: (path: string) => boolean): RequestHandler {
  const own = new URL(appUrl).origin;
  return (req, _res, next) => {
    if (safe.has(req.method) || isExempt(req.baseUrl + req.path)) return next();
    const site = req.get('sec-fetch-site');
    const origin = req.get('origin');
    if (site !== undefined ? site === 'same-origin' || site === 'none' : origin === undefined || origin === own)
      return next();
    throw new AppError('cross_site');
  };
}
