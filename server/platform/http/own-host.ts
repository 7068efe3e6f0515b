import { isIP } from 'node:net';
import type { RequestHandler } from 'express';
import { AppError } from './app-error.ts';
import type { Env } from '../env.ts';

/** Refuses a request that names two hosts (RFC 9112, section 3.2): what stands in front of us may have read the other one. */
export const oneHost: RequestHandler = ({ rawHeaders }, _res, next) => {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (/^host$/i.test(rawHeaders[at]!)) hosts += 1;
  if (hosts > 1) throw new AppError('malformed_request');
  next();
};

/**
 * Development answers only under its own names. Otherwise a page elsewhere whose name was pointed at this machine (DNS
 * rebinding) could read the mailbox and the demo accounts. Such a page needs a name, so a numeric address is safe.
 */
export function ownHost(env: Pick<Env, 'appUrl' | 'allowedHosts'>): RequestHandler {
  const names = new Set(['localhost', new URL(env.appUrl).hostname, ...env.allowedHosts]);
  return (req, _res, next) => {
    const at = `http://${req.headers.host}`; // not req.hostname, which a proxy's header may set
    const name = URL.canParse(at) ? new URL(at).hostname : '';
    if (names.has(name) || name.endsWith('.localhost') || isIP(name.replace(/^\[|\]$/g, '')) > 0) return next();
    throw new AppError('misdirected');
  };
}
