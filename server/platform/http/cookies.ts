import type { Env } from '../env.ts';

const isSecure = ({ appUrl }: Env) => appUrl.startsWith('https:');

/** `__Host-` binds a cookie to this host over https; browsers refuse the prefix on plain http. */
export const cookieName = (env: Env, name: string) => (isSecure(env) ? `__Host-${name}` : name);

export const cookieOptions = (env: Env) =>
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure(env) }) as const;

/** The value of one cookie in a `Cookie` header. */
export function cookieIn(env: Env, header: string | undefined, name: string): string | undefined {
  const begin = `${cookieName(env, name)}=`;
  const found = header?.split('; ').find((pair) => pair.startsWith(begin));
  return found?.slice(begin.length);
}
