import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Env } from '../env.ts';

type Keys = Pick<Env, 'sessionSecrets'>;

const signedBy = (secret: string, purpose: string, text: string) =>
  createHmac('sha256', secret).update(`${purpose}:${text}`).digest('base64url');

/** Proof that we wrote the text. `purpose` keeps a signature of one kind from passing as another. */
export const signatureOf = ({ sessionSecrets: [newest] }: Keys, purpose: string, text: string) =>
  signedBy(newest, purpose, text);

/** Whether the signature is ours, by the newest secret or one that it replaces. */
export function isSigned({ sessionSecrets }: Keys, purpose: string, text: string, signature: string): boolean {
  const given = Buffer.from(signature);
  return sessionSecrets.some((secret) => {
    const expected = Buffer.from(signedBy(secret, purpose, text));
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
