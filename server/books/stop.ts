import type { Context } from '#server/platform/context.ts';
import { isSigned, signatureOf } from '#server/platform/crypto/signatures.ts';

/** Derived rather than stored, since the link of an old mail has to work as well. */
const tokenOf = ({ env }: Pick<Context, 'env'>, id: string) => `${id}.${signatureOf(env, 'bookkeeper', id)}`;

/** The link for readers, and the address that a mail program posts to by itself (RFC 8058). */
export function stopLinks(context: Pick<Context, 'env'>, id: string) {
  const token = encodeURIComponent(tokenOf(context, id));
  return {
    page: new URL(`/bookkeeper/stop?token=${token}`, context.env.appUrl).href,
    oneClick: new URL(`/api/bookkeeper/stop?token=${token}`, context.env.appUrl).href,
  };
}

/** Whose mail it is from; null where we didn't write the token. */
export function bookkeeperIn({ env }: Pick<Context, 'env'>, token = ''): string | null {
  const [id = '', signature = ''] = token.split('.');
  return isSigned(env, 'bookkeeper', id, signature) ? id : null;
}
