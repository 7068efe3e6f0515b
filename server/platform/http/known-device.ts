import { randomBytes } from 'node:crypto';
import type { Request } from 'express';
import type { Context } from '../context.ts';
import type { Env } from '../env.ts';
import { cookieIn, cookieName, cookieOptions } from './cookies.ts';
import { isSigned, signatureOf } from '../crypto/signatures.ts';

/**
 * A cookie that says which accounts this browser has signed in to before. It opens nothing: it gives sign-in a budget of its own and
 * the first places in the line, so that neither a flood nor wrong guesses from elsewhere keep a person out.
 */
const cookie = 'device';

/** Enough for colleagues who share a browser; the account signed in to longest ago is dropped. */
const maxAccounts = 5;
/** The longest that browsers keep a cookie. */
const lifeMs = 400 * 86_400_000;

type Device = { id: string; signatures: string[] };

function deviceIn(env: Env, cookies: string | undefined): Device | null {
  const [id = '', ...signatures] = cookieIn(env, cookies, cookie)?.split('.') ?? [];
  return /^[\w-]{22}$/.test(id) ? { id, signatures: signatures.slice(0, maxAccounts) } : null;
}

const signedText = (id: string, email: string) => `${id} ${email}`;

/** The id of the caller's browser, if it has signed in to the account of this (normalised) address before; else null. */
export function knownDevice({ env, caller }: Context, email: string): string | null {
  const device = deviceIn(env, caller?.cookies);
  const isKnown = device?.signatures.some((one) => isSigned(env, 'device', signedText(device.id, email), one));
  return device && isKnown ? device.id : null;
}

/** Makes this browser known to the account: after a sign-in, or a reset with the mailed link. */
export function makeKnown(env: Env, request: Request, email: string): void {
  const device = deviceIn(env, request.headers.cookie) ?? { id: randomBytes(16).toString('base64url'), signatures: [] };
  const text = signedText(device.id, email);
  const others = device.signatures.filter((one) => !isSigned(env, 'device', text, one));
  const signatures = [signatureOf(env, 'device', text), ...others].slice(0, maxAccounts);
  const value = [device.id, ...signatures].join('.');
  request.res?.cookie(cookieName(env, cookie), value, { ...cookieOptions(env), maxAge: lifeMs });
}
