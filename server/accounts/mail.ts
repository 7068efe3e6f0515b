import { brand, seller } from '#shared/brand.ts';
import {
  emailChangeHours,
  emailUndoHours,
  resetTokenHours,
  verificationTokenHours,
} from '#shared/rules/people/accounts.ts';
import { mailSubject } from '#server/platform/mail-subject.ts';
import type { Context } from '#server/platform/context.ts';
import { deviceInWords } from '#server/platform/http/device-name.ts';
import { renderMail } from '#server/platform/mail-content.ts';

/** Mails the link that proves the address; it leaves with the caller's transaction. */
export function sendVerification(context: Context, to: { email: string; firstName: string }, token: string) {
  const body = renderMail({
    preheader: `Confirm your address to use everything ${brand.name} offers.`,
    heading: 'Verify your email address',
    paragraphs: [
      `Hi ${to.firstName},`,
      `Please confirm that this address is yours. You then start free trials and register tools on ${brand.name}.`,
      `The link works once, for ${verificationTokenHours} hours.`,
    ],
    action: { label: 'Verify this address', url: `${context.env.appUrl}/verify-email?token=${token}` },
    footer: `You're getting this because an account was created with this address. If that wasn't you, ignore this email.`,
  });
  const subject = mailSubject`Verify your email address for ${brand.name}`;
  return context.mailer.send(context.db, { to: to.email, subject, ...body, kind: 'verification' });
}

/** Mails the link that sets a new password; it leaves with the caller's transaction. */
export function sendReset(context: Context, to: { email: string; firstName: string }, token: string) {
  const body = renderMail({
    preheader: `Choose a new password for ${brand.name}.`,
    heading: 'Reset your password',
    paragraphs: [
      `Hi ${to.firstName},`,
      `Someone, hopefully you, asked for a new password for your ${brand.name} account.`,
      `The link works once, for ${resetTokenHours} hour. A newer link replaces it.`,
    ],
    action: { label: 'Set new password', url: `${context.env.appUrl}/reset-password?token=${token}` },
    footer: "If that wasn't you, ignore this email: your password stays as it is.",
  });
  const subject = mailSubject`Reset your ${brand.name} password`;
  return context.mailer.send(context.db, { to: to.email, subject, ...body, kind: 'password-reset' });
}

/** Sent instead of that link: the password of a suspended account can't be set. */
export function sendStillSuspended(context: Context, to: { email: string; firstName: string }) {
  const body = renderMail({
    preheader: `Your ${brand.name} account is suspended.`,
    heading: 'Your account is suspended',
    paragraphs: [
      `Hi ${to.firstName},`,
      `Somebody, hopefully you, asked for a new password for your ${brand.name} account. It is suspended, so no password can be set.`,
      `We told you why by email; please write to ${seller().supportEmail} if you disagree.`,
    ],
  });
  return context.mailer.send(context.db, {
    to: to.email,
    subject: mailSubject`Your ${brand.name} account is suspended`,
    ...body,
    kind: 'still-suspended',
  });
}

type Moving = { fromEmail: string; toEmail: string; firstName: string };

/** Mails the link that confirms a new address, to that address. */
export function sendEmailChange(context: Context, { toEmail, firstName }: Moving, token: string) {
  const body = renderMail({
    preheader: `Confirm your new address for ${brand.name}.`,
    heading: 'Confirm your new email address',
    paragraphs: [
      `Hi ${firstName},`,
      `Please confirm that your ${brand.name} account should use this address from now on. Open the link where you are signed in.`,
      `The link works once, for ${emailChangeHours} hours. Until then nothing changes.`,
    ],
    action: { label: 'Confirm this address', url: `${context.env.appUrl}/change-email?token=${token}` },
    footer: `You're getting this because someone entered this address for their ${brand.name} account. If that wasn't you, ignore this email.`,
  });
  const subject = mailSubject`Confirm your new address for ${brand.name}`;
  return context.mailer.send(context.db, { to: toEmail, subject, ...body, kind: 'email-change' });
}

/** Tells the old address and, if it was verified, gives it the link that undoes the change. */
export function sendEmailChanged(
  context: Context,
  { fromEmail, toEmail, firstName }: Moving,
  undoToken: string | null,
) {
  const said = `The email address of your ${brand.name} account was changed to ${toEmail}.`;
  const body = renderMail({
    preheader: said,
    heading: 'Your email address was changed',
    paragraphs: [
      `Hi ${firstName},`,
      said,
      undoToken === null
        ? `If that wasn't you, write to ${seller().supportEmail}.`
        : `If that wasn't you, undo it within ${emailUndoHours} hours: this address is restored, every device is signed out, and you choose a new password.`,
    ],
    ...(undoToken !== null && {
      action: { label: 'Undo the change', url: `${context.env.appUrl}/undo-email-change?token=${undoToken}` },
    }),
  });
  const subject = mailSubject`Your ${brand.name} address was changed`;
  return context.mailer.send(context.db, { to: fromEmail, subject, ...body, kind: 'email-changed' });
}

/** Tells both addresses that an administrator has replaced one with the other. */
export async function sendEmailMoved(
  context: Context,
  { fromEmail, toEmail, firstName, reason }: Moving & { reason: string },
): Promise<void> {
  const said = `An administrator of ${brand.name} changed the email address of your account from ${fromEmail} to ${toEmail}.`;
  const body = renderMail({
    preheader: said,
    heading: 'Your email address was changed',
    paragraphs: [
      `Hi ${firstName},`,
      `${said} The reason: ${reason}`,
      'Every device was signed out. Sign in with the new address and your password.',
      `If you didn't ask for this, write to ${seller().supportEmail} within a day, while it can be undone.`,
    ],
  });
  const subject = mailSubject`Your ${brand.name} address was changed`;
  for (const to of [fromEmail, toEmail])
    await context.mailer.send(context.db, { to, subject, ...body, kind: 'email-moved' });
}

export function sendClosed(context: Context, to: { email: string; firstName: string }) {
  const body = renderMail({
    preheader: `Your ${brand.name} account was closed.`,
    heading: 'Your account was closed',
    paragraphs: [
      `Hi ${to.firstName},`,
      `Your ${brand.name} account was closed as you asked. Your subscriptions have ended, nothing more will be charged, and your details were erased. Invoices are kept for as long as the law requires.`,
      `If that wasn't you, write to ${seller().supportEmail}.`,
    ],
  });
  const subject = mailSubject`Your ${brand.name} account was closed`;
  return context.mailer.send(context.db, { to: to.email, subject, ...body, kind: 'account-closed' });
}

export function sendNewDevice(
  context: Context,
  to: { email: string; firstName: string },
  { device, ip }: { device: string; ip: string },
) {
  const body = renderMail({
    preheader: `A new device signed in to your ${brand.name} account.`,
    heading: 'A new device signed in',
    paragraphs: [
      `Hi ${to.firstName},`,
      `Someone just signed in to your ${brand.name} account with ${deviceInWords(device)}, from ${ip}.`,
      `If this was you, no action is needed. If it wasn't, change your password now. That signs out every device.`,
    ],
    action: { label: 'See your sign-ins', url: `${context.env.appUrl}/profile?tab=security` },
    footer: `You get this whenever a browser signs in that has not signed in to your account before.`,
  });
  const subject = mailSubject`New sign-in to your ${brand.name} account`;
  return context.mailer.send(context.db, { to: to.email, subject, ...body, kind: 'new-device' });
}

/** Mails the link without which nobody stops the removal of the second factors. */
export function sendFactorReset(context: Context, to: { email: string; firstName: string }, token: string) {
  const body = renderMail({
    preheader: 'An administrator was asked to remove the verification methods of your account.',
    heading: 'Your verification methods will be removed',
    paragraphs: [
      `Hi ${to.firstName},`,
      `An administrator of ${brand.name} was asked to remove the verification methods of your account. This happens in 24 hours.`,
      'If you have not lost them, open this link, sign in, and pass two-step verification: then they stay.',
    ],
    action: { label: 'Keep my methods', url: `${context.env.appUrl}/stop-factor-reset?token=${token}` },
  });
  const subject = mailSubject`Your verification methods will be removed`;
  return context.mailer.send(context.db, { to: to.email, subject, ...body, kind: 'second-factor' });
}
