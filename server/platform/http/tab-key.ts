import { randomBytes } from 'node:crypto';
import type { Request } from 'express';
import type { Env } from '../env.ts';
import { signatureOf } from '../crypto/signatures.ts';
import { cookieIn, cookieName, cookieOptions } from './cookies.ts';

/** It lasts until the browser is closed, and says nothing of anybody. */
const cookie = 'tab-key';

/** 32 bytes in base64url that belong to this browser: a tab seals with them what a link brought, also before anybody has signed in. */
export function tabKeyFor(env: Env, request: Request): string {
  const given = cookieIn(env, request.headers.cookie, cookie);
  if (given && /^[\w-]{43}$/.test(given)) return signatureOf(env, 'tab key', given);
  const made = randomBytes(32).toString('base64url');
  request.res?.cookie(cookieName(env, cookie), made, cookieOptions(env));
  return signatureOf(env, 'tab key', made);
}
