import { randomBytes } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import type { Context } from '../context.ts';
import { signatureOf } from '../crypto/signatures.ts';
import type { Env } from '../env.ts';

const isSecure = ({ appUrl }: Env) => appUrl.startsWith('https:');

/** `__Host-` binds a cookie to this host over https; browsers refuse the prefix on plain http. */
export const cookieName = (env: Env, name: string) => (isSecure(env) ? `__Host-${name}` : name);

export const cookieOptions = (env: Env) =>
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure(env) }) as const;

const overHttp =
  'A request came with X-Forwarded-Proto: http, but APP_URL is https. Over http, nobody can stay signed in.';
const lost = 'cookie-lost';

/** A job that fails at once, to make an incident of pages that browsers load by http. */
export const defineCookieIncident = ({ queue }: Pick<Context, 'queue'>) =>
  queue.define(lost, { retryLimit: 0 }, () => Promise.reject(new Error(overHttp)));

/**
 * Has secure cookies follow APP_URL, which is https in production: express-session asks the proxy's X-Forwarded-Proto instead, and leaves
 * its cookie out where that is missing. One that says http is most likely a page that browsers do load by http, where they refuse the
 * cookie: the log and an incident say it once.
 */
export function schemeOfAppUrl({ env, log, db, queue }: Context): RequestHandler {
  if (!isSecure(env)) return (_req, _res, next) => next();
  let told = false;
  return ({ headers }, _res, next) => {
    const said = String(headers['x-forwarded-proto'] ?? '')
      .split(',', 1)[0]!
      .trim();
    if (said.toLowerCase() === 'http' && !told) {
      told = true;
      log.warn(overHttp);
      queue.send(db, lost, {}).catch((error: unknown) => log.warn({ err: error }, 'no incident could be made of it'));
    }
    headers['x-forwarded-proto'] = 'https';
    next();
  };
}

/** The value of one cookie in a `Cookie` header. */
export function cookieIn(env: Env, header: string | undefined, name: string): string | undefined {
  const begin = `${cookieName(env, name)}=`;
  const found = header?.split('; ').find((pair) => pair.startsWith(begin));
  return found?.slice(begin.length);
}

/** It lasts until the browser is closed, and says nothing of anybody. */
const tabCookie = 'tab-key';

/** 32 bytes in base64url that belong to this browser: a tab seals with them what a link brought, also before anybody has signed in. */
export function tabKeyFor(env: Env, request: Request): string {
  const given = cookieIn(env, request.headers.cookie, tabCookie);
  if (given && /^[\w-]{43}$/.test(given)) return signatureOf(env, 'tab key', given);
  const made = randomBytes(32).toString('base64url');
  request.res?.cookie(cookieName(env, tabCookie), made, cookieOptions(env));
  return signatureOf(env, 'tab key', made);
}
