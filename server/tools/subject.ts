import { createHash } from 'node:crypto';

export type Salted = { subjectSalt: string | null };

/**
 * The id under which a tool knows somebody. It is of this tool alone (pairwise: OpenID Connect Core, 8.1), so that two makers can't join
 * what they hold; tools from before know people by their account's id.
 */
export function subjectOf({ subjectSalt }: Salted, userId: string): string {
  if (subjectSalt === null) return userId;
  const bytes = createHash('sha256').update(`${subjectSalt}:${userId}`).digest().subarray(0, 16);
  // A UUID of version 8 (RFC 9562), as tools expect of the ids they had.
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
