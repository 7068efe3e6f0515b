import type { Context } from './context.ts';
import { isSigned, signatureOf } from './crypto/signatures.ts';

/** The pages that stop mails, by the purpose of the signature in their links. */
const pages = { unsubscribe: '/unsubscribe', bookkeeper: '/bookkeeper/stop' };
type Purpose = keyof typeof pages;
type Keys = Pick<Context, 'env'>;

/** Derived from the reader's id rather than stored, since a link has to work for as long as somebody keeps the mail. */
export const stopToken = ({ env }: Keys, purpose: Purpose, id: string) => `${id}.${signatureOf(env, purpose, id)}`;

/** The link for readers, and the address that a mail program posts to by itself (RFC 8058). */
export function stopLinks(context: Keys, purpose: Purpose, id: string) {
  const link = `${pages[purpose]}?token=${encodeURIComponent(stopToken(context, purpose, id))}`;
  const { appUrl } = context.env;
  return { page: new URL(link, appUrl).href, oneClick: new URL(`/api${link}`, appUrl).href };
}

/** Whose mail it is from; null where we didn't write the token. */
export function readerIn({ env }: Keys, purpose: Purpose, token = ''): string | null {
  const [id = '', signature = ''] = token.split('.');
  return isSigned(env, purpose, id, signature) ? id : null;
}
