import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Secrets } from '../env.ts';

/** Encryption of what has to be read again, such as the secret of an authenticator app: AES-256-GCM. */
const algorithm = 'aes-256-gcm';
const keyOf = (secret: string, purpose: string) => Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));

/** The text, encrypted with the newest secret, for this purpose: what was sealed for one can't be opened for another. */
export function seal([secret]: Secrets, purpose: string, text: string): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv(algorithm, keyOf(secret, purpose), iv);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** The text again; null if it was sealed with none of these secrets or for another purpose, or was changed. */
export function unseal(secrets: readonly string[], purpose: string, sealed: string): string | null {
  for (const secret of secrets) {
    const text = unsealWith(secret, purpose, sealed);
    if (text !== null) return text;
  }
  return null;
}

function unsealWith(secret: string, purpose: string, sealed: string): string | null {
  const bytes = Buffer.from(sealed, 'base64url');
  try {
    const decipher = createDecipheriv(algorithm, keyOf(secret, purpose), bytes.subarray(0, 12));
    decipher.setAuthTag(bytes.subarray(12, 28));
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}
