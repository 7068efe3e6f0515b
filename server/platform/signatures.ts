import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Env } from './env.ts';

/** What only we can have written. `purpose` keeps a signature of one kind from passing as another. */
export const signatureOf = (env: Pick<Env, 'sessionSecret'>, purpose: string, text: string) =>
  createHmac('sha256', env.sessionSecret).update(`${purpose}:${text}`).digest('base64url');

export function isSigned(env: Pick<Env, 'sessionSecret'>, purpose: string, text: string, signature: string): boolean {
  const given = Buffer.from(signature);
  const expected = Buffer.from(signatureOf(env, purpose, text));
  return given.length === expected.length && timingSafeEqual(given, expected);
}
