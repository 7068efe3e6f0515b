import type { RequestHandler } from 'express';
import { AppError } from './app-error.ts';

const safe = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses writes that another site's page makes a browser send. Browsers say where a request comes from in
 * `Sec-Fetch-Site`; older ones only in `Origin`; a caller with neither is no browser and carries no ambient cookie.
 */
export function sameOrigin(appUrl: string, exempt: ReadonlySet<string>): RequestHandler {
  const own = new URL(appUrl).origin;
  return (req, _res, next) => {
    if (safe.has(req.method) || exempt.has(req.baseUrl + req.path)) return next();
    const site = req.get('sec-fetch-site');
    const origin = req.get('origin');
    if (site !== undefined ? site === 'same-origin' || site === 'none' : origin === undefined || origin === own)
      return next();
    throw new AppError('cross_site');
  };
}
