import { randomUUID } from 'node:crypto';
import { seller } from '#shared/brand.ts';
import { emailUndoHours } from '#shared/rules/people/accounts.ts';
import { accessChanged } from '#server/access-tokens/service.ts';
import { audit } from '#server/audit/service.ts';
import { notify } from '#server/notifications/service.ts';
import type { Context } from '#server/platform/context.ts';

/** What can happen to somebody's second factors and ways to sign in: [audit action, title, message]. `what` names the factor. */
const events = {
  added: [
    'account.factor_added',
    'A verification method was added',
    (what: string) => `${what} was added to your account. You will be asked for it when you sign in.`,
  ],
  removed: [
    'account.factor_removed',
    'A verification method was removed',
    (what: string) => `${what} was removed from your account.`,
  ],
  connected: [
    'account.identity_connected',
    'Another way to sign in was added',
    (what: string) => `Your ${what} account now signs you in, instead of your password.`,
  ],
  disconnected: [
    'account.identity_disconnected',
    'A way to sign in was removed',
    (what: string) => `Your ${what} account no longer signs you in.`,
  ],
  codesRenewed: [
    'account.recovery_codes_renewed',
    'Your recovery codes were renewed',
    () => 'Ten new recovery codes were created for your account. The old ones no longer work.',
  ],
  codeUsed: [
    'account.recovery_code_used',
    'A recovery code was used',
    (left: string) => `One of your recovery codes was used instead of your app or passkey. You have ${left} left.`,
  ],
  resetAsked: [
    'admin.factor_reset_requested',
    'Your verification methods will be removed',
    () =>
      'An administrator was asked to remove the verification methods of your account. This happens in 24 hours. The link in our email stops it.',
  ],
  resetStopped: [
    'account.factor_reset_stopped',
    'The reset of your verification methods was stopped',
    () => 'Your verification methods stay as they are.',
  ],
  resetDone: [
    'account.factors_reset',
    'Your verification methods were removed',
    () =>
      'The verification methods of your account were removed, as requested a day ago. Your password alone signs you in.',
  ],
} as const;

const ifNotYou = (event: keyof typeof events) =>
  event === 'added' || event === 'connected'
    ? `If that wasn't you, choose “Forgot Password” on the sign-in page within ${emailUndoHours} hours: a new password by email removes it and signs out every device. Then write to ${seller().supportEmail}.`
    : `If that wasn't you, change your password at once under My Profile, Security, and write to ${seller().supportEmail}.`;

/** Writes the event to the audit trail and tells the person, in the app and by mail, in the caller's transaction. */
export async function tell(inside: Context, userId: string, event: keyof typeof events, what = ''): Promise<void> {
  const [action, title, sentence] = events[event];
  await accessChanged(inside, { userId });
  await audit(inside, action, {
    user: userId,
    ...(event === 'resetDone' ? { actorId: null } : event !== 'resetAsked' && { actorId: userId }),
  });
  const message = sentence(what);
  await notify(inside, {
    userId,
    title,
    message,
    actionUrl: '/profile?tab=security',
    dedupeKey: `factor:${randomUUID()}`,
    // Its own mail has the link that stops it, which nobody finds in the app.
    ...(event !== 'resetAsked' && {
      mail: {
        kind: 'second-factor',
        paragraphs: [message, ifNotYou(event)],
        actionLabel: 'Open Security',
      },
    }),
  });
}
