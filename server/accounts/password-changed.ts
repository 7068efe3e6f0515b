import { brand } from '#shared/brand.ts';
import { notify } from '#server/notifications/service.ts';
import type { Context } from '#server/platform/context.ts';

/** Tells the owner, in the app and by mail, in the caller's transaction. The epoch names the occasion. */
export const tellPasswordChanged = (context: Context, { id, authEpoch }: { id: string; authEpoch: number }) =>
  notify(context, {
    userId: id,
    type: 'system_alert',
    title: 'Your password was changed',
    message: 'Your password was changed and your other sessions were signed out.',
    actionUrl: '/profile',
    dedupeKey: `password-changed:${authEpoch}`,
    mail: {
      kind: 'password-changed',
      subject: `Your ${brand.name} password was changed`,
      paragraphs: [
        `The password of your ${brand.name} account was just changed, and every other session was signed out.`,
        `If that was you, there is nothing to do. If it was not, reset your password with “Forgot Password” on the sign-in page and write to ${brand.supportEmail}.`,
      ],
    },
  });
