import { hash, randomBytes } from 'node:crypto';

/** A secret for a link, a launch or a key: 32 random bytes in base64url. Only its hash is stored. */
export const newToken = () => randomBytes(32).toString('base64url');

/** SHA-256 in hex, which is all that the database holds of such a secret. */
export const hashToken = (token: string) => hash('sha256', token);
