import { brand } from '#shared/brand.ts';
import { formatSydneyDate } from '#shared/rules/dates.ts';
import { type InvitedRole, takesSeat } from '#shared/rules/people/teams.ts';
import { renderMail } from '#server/platform/mail-content.ts';
import { mailSubject } from '#server/platform/mail-subject.ts';
import type { Context } from '#server/platform/context.ts';
import { aRole, type Name, nameOf, rightsText } from './notices.ts';

type Invitation = { to: string; inviter: Name; teamName: string; role: InvitedRole; url: string; expiresAt: Date };

/** Mails the invitation's link when the caller's transaction commits. */
export function sendInvitation(context: Context, { to, inviter, teamName, role, url, expiresAt }: Invitation) {
  const from = nameOf(inviter);
  const as = role === 'admin' ? 'an admin, who can invite and remove members' : aRole(role);
  const gets = takesSeat(role)
    ? 'As part of the team you get the tools it subscribes to, at no cost to you.'
    : `As ${aRole(role)} you ${rightsText[role]}.`;
  const body = renderMail({
    preheader: `${from} invites you to the team ${teamName} on ${brand.name}.`,
    heading: `Join ${teamName}`,
    paragraphs: [
      `${from} invites you to join the team ${teamName} on ${brand.name} as ${as}.`,
      `${gets} If you don't have an account yet, you'll create one on the way, with this address.`,
      `The link works once, until ${formatSydneyDate(expiresAt)}, and for this address only. A newer invitation replaces it.`,
    ],
    action: { label: 'Open the invitation', url },
    footer: `You're getting this because ${from} entered this address. If you do not know them, ignore this email.`,
  });
  const subject = mailSubject`${from} invites you to ${teamName}`;
  return context.mailer.send(context.db, { to, subject, ...body, kind: 'team-invitation' });
}
