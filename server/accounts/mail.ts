import { brand, seller } from '#shared/brand.ts';
import {
  emailChangeHours,
  emailUndoHours,
  resetTokenHours,
  verificationTokenHours,
} from '#shared/rules/people/accounts.ts';
import { sydneyMoment } from '#shared/rules/dates.ts';
import { mailSubject } from '#server/platform/mail-subject.ts';
import type { Context } from '#server/platform/context.ts';
import { deviceInWords } from '#server/platform/http/device-name.ts';
import { type Letter, sendMail } from '#server/platform/send-mail.ts';

type Reader = { email: string; firstName: string };

/** Mails what begins by greeting its reader; it leaves with the caller's transaction. */
const mailTo = (context: Context, { email, firstName }: Reader, letter: Omit<Letter, 'to'>) =>
  sendMail(context, { ...letter, to: email, paragraphs: [`Hi ${firstName},`, ...letter.paragraphs] });

/** Mails the link that proves the address. */
export function sendVerification(context: Context, to: Reader, token: string) {
  return mailTo(context, to, {
    kind: 'verification',
    subject: mailSubject`Verify your email address for ${brand.name}`,
    preheader: `Confirm your address to use everything ${brand.name} offers.`,
    heading: 'Verify your email address',
    paragraphs: [
      `Please confirm that this address is yours. You can then start free trials and register tools on ${brand.name}.`,
      `The link works once, for ${verificationTokenHours} hours.`,
    ],
    action: { label: 'Verify this address', url: `${context.env.appUrl}/verify-email?token=${token}` },
    footer: `You're receiving this because an account was created with this address. If that wasn't you, ignore this email.`,
  });
}

/** Mails the link that sets a new password. */
export function sendReset(context: Context, to: Reader, token: string) {
  return mailTo(context, to, {
    kind: 'password-reset',
    subject: mailSubject`Reset your ${brand.name} password`,
    preheader: `Choose a new password for ${brand.name}.`,
    heading: 'Reset your password',
    paragraphs: [
      `Someone, hopefully you, asked for a new password for your ${brand.name} account.`,
      `The link works once, for ${resetTokenHours} hour. A newer link replaces it.`,
    ],
    action: { label: 'Set new password', url: `${context.env.appUrl}/reset-password?token=${token}` },
    footer: "If that wasn't you, ignore this email: your password stays as it is.",
  });
}

/** Sent instead of that link: the password of a suspended account can't be set. */
export function sendStillSuspended(context: Context, to: Reader) {
  return mailTo(context, to, {
    kind: 'still-suspended',
    subject: mailSubject`Your ${brand.name} account is suspended`,
    preheader: `Your ${brand.name} account is suspended.`,
    heading: 'Your account is suspended',
    paragraphs: [
      `Somebody, hopefully you, asked for a new password for your ${brand.name} account. It is suspended, so no password can be set.`,
      `We told you why by email; please write to ${seller().supportEmail} if you disagree.`,
    ],
  });
}

type Moving = { fromEmail: string; toEmail: string; firstName: string };

/** Mails the link that confirms a new address, to that address. */
export function sendEmailChange(context: Context, { toEmail, firstName }: Moving, token: string) {
  return mailTo(
    context,
    { email: toEmail, firstName },
    {
      kind: 'email-change',
      subject: mailSubject`Confirm your new address for ${brand.name}`,
      preheader: `Confirm your new address for ${brand.name}.`,
      heading: 'Confirm your new email address',
      paragraphs: [
        `Please confirm that your ${brand.name} account should use this address from now on. Open the link where you are signed in.`,
        `The link works once, for ${emailChangeHours} hours. Until then nothing changes.`,
      ],
      action: { label: 'Confirm this address', url: `${context.env.appUrl}/change-email?token=${token}` },
      footer: `You're receiving this because someone entered this address for their ${brand.name} account. If that wasn't you, ignore this email.`,
    },
  );
}

/** Tells the old address and, if it was verified, gives it the link that undoes the change. */
export function sendEmailChanged(
  context: Context,
  { fromEmail, toEmail, firstName }: Moving,
  undoToken: string | null,
) {
  const said = `The email address of your ${brand.name} account was changed to ${toEmail}.`;
  return mailTo(
    context,
    { email: fromEmail, firstName },
    {
      kind: 'email-changed',
      subject: mailSubject`Your ${brand.name} address was changed`,
      preheader: said,
      heading: 'Your email address was changed',
      paragraphs: [
        said,
        undoToken === null
          ? `If that wasn't you, write to ${seller().supportEmail}.`
          : `If that wasn't you, undo it within ${emailUndoHours} hours: this address is restored, every device is signed out, and you choose a new password.`,
      ],
      action:
        undoToken === null
          ? undefined
          : { label: 'Undo the change', url: `${context.env.appUrl}/undo-email-change?token=${undoToken}` },
    },
  );
}

/** Tells both addresses that an administrator has replaced one with the other. */
export async function sendEmailMoved(
  context: Context,
  { fromEmail, toEmail, firstName, reason }: Moving & { reason: string },
): Promise<void> {
  const said = `An administrator of ${brand.name} changed the email address of your account from ${fromEmail} to ${toEmail}.`;
  for (const email of [fromEmail, toEmail])
    await mailTo(
      context,
      { email, firstName },
      {
        kind: 'email-moved',
        subject: mailSubject`Your ${brand.name} address was changed`,
        preheader: said,
        heading: 'Your email address was changed',
        paragraphs: [
          `${said} The reason: ${reason}`,
          'Every device was signed out. Sign in with the new address and your password.',
          `If you didn't ask for this, write to ${seller().supportEmail} within a day, while it can be undone.`,
        ],
      },
    );
}

export function sendClosed(context: Context, to: Reader) {
  return mailTo(context, to, {
    kind: 'account-closed',
    subject: mailSubject`Your ${brand.name} account was closed`,
    preheader: `Your ${brand.name} account was closed.`,
    heading: 'Your account was closed',
    paragraphs: [
      `Your ${brand.name} account was closed as you asked. Your subscriptions have ended, nothing more will be charged, and your details were erased. Invoices are kept for as long as the law requires.`,
      `If that wasn't you, write to ${seller().supportEmail}.`,
    ],
  });
}

export function sendNewDevice(context: Context, to: Reader, { device, ip }: { device: string; ip: string }) {
  const now = context.now();
  return mailTo(context, to, {
    kind: 'new-device',
    subject: mailSubject`New sign-in to your ${brand.name} account`,
    preheader: `A new device signed in to your ${brand.name} account.`,
    heading: 'A new device signed in',
    paragraphs: [
      `Someone signed in to your ${brand.name} account with ${deviceInWords(device)}, from ${ip}, on ${sydneyMoment(now)}, Sydney time.`,
      `If this was you, no action is needed. If it wasn't, change your password now. That signs out every other device.`,
    ],
    action: { label: 'Change your password', url: `${context.env.appUrl}/profile?tab=security` },
    footer: `You get this whenever a browser signs in that has not signed in to your account before.`,
  });
}

/** Mails the link without which nobody stops the removal of the second factors. */
export function sendFactorReset(context: Context, to: Reader, token: string) {
  return mailTo(context, to, {
    kind: 'second-factor',
    subject: mailSubject`Your verification methods will be removed`,
    preheader: 'An administrator was asked to remove the verification methods of your account.',
    heading: 'Your verification methods will be removed',
    paragraphs: [
      `An administrator of ${brand.name} was asked to remove the verification methods of your account. This happens in 24 hours.`,
      'If you have not lost them, open this link, sign in, and pass two-step verification: then they stay.',
    ],
    action: { label: 'Keep my methods', url: `${context.env.appUrl}/stop-factor-reset?token=${token}` },
  });
}
