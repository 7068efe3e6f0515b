import { AppError } from '#server/platform/http/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { isSigned, signatureOf } from '#server/platform/crypto/signatures.ts';
import { saveSettings } from './queries.ts';

/** Derived from the user's id rather than stored, since a link has to work for as long as somebody keeps the mail. */
export const unsubscribeToken = ({ env }: Pick<Context, 'env'>, userId: string) =>
  `${userId}.${signatureOf(env, 'unsubscribe', userId)}`;

/** The link for readers, and the address that a mail program posts to by itself (RFC 8058). */
export function unsubscribeLinks(context: Pick<Context, 'env'>, userId: string) {
  const token = encodeURIComponent(unsubscribeToken(context, userId));
  return {
    page: new URL(`/unsubscribe?token=${token}`, context.env.appUrl).href,
    oneClick: new URL(`/api/unsubscribe?token=${token}`, context.env.appUrl).href,
  };
}

function findUserId(context: Context, token: string): string | null {
  const [userId = '', signature = ''] = token.split('.');
  return isSigned(context.env, 'unsubscribe', userId, signature) ? userId : null;
}

/** `POST /api/unsubscribe`: no more reminder mails. Repeating it is fine; notices in the app stay as they were. */
export async function unsubscribe(context: Context, token: string | undefined): Promise<{ message: string }> {
  const userId = token === undefined ? null : findUserId(context, token);
  if (userId === null) throw new AppError('unsubscribe_invalid');
  await saveSettings(context.db, userId, { emailReminders: false });
  return { message: "You won't get any more reminder emails." };
}
