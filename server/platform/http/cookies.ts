import type { RequestHandler } from 'express';
import type { Context } from '../context.ts';
import type { Env } from '../env.ts';

const isSecure = ({ appUrl }: Env) => appUrl.startsWith('https:');

/** `__Host-` binds a cookie to this host over https; browsers refuse the prefix on plain http. */
export const cookieName = (env: Env, name: string) => (isSecure(env) ? `__Host-${name}` : name);

export const cookieOptions = (env: Env) =>
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure(env) }) as const;

/**
 * Has secure cookies follow APP_URL, which is https in production: express-session asks the proxy's X-Forwarded-Proto instead, and leaves
 * its cookie out where that is missing. One that says http is most likely a page that browsers do load by http, where they refuse the
 * cookie, so the log says it once.
 */
export function schemeOfAppUrl({ env, log }: Pick<Context, 'env' | 'log'>): RequestHandler {
  if (!isSecure(env)) return (_req, _res, next) => next();
  let told = false;
  return ({ headers }, _res, next) => {
    const said = String(headers['x-forwarded-proto'] ?? '')
      .split(',', 1)[0]!
      .trim();
    if (said.toLowerCase() === 'http' && !told) {
      told = true;
      log.warn(
        'A request came with X-Forwarded-Proto: http, but APP_URL is https. Over http, nobody can stay signed in.',
      );
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
