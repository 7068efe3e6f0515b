import { brand } from '#shared/brand.ts';
import { formatSydneyDate } from '#shared/rules/dates.ts';
import type { InvitedRole } from '#shared/rules/teams.ts';
import type { Context } from '#server/platform/context.ts';
import { renderMail } from '#server/platform/mail-layout.ts';

type Person = { firstName: string; lastName: string };
type Invitation = { to: string; inviter: Person; teamName: string; role: InvitedRole; url: string; expiresAt: Date };

/** Mails the link that lets the address join; it leaves with the caller's transaction. */
export function sendInvitation(context: Context, { to, inviter, teamName, role, url, expiresAt }: Invitation) {
  const from = `${inviter.firstName} ${inviter.lastName}`.trim();
  const as = role === 'admin' ? 'an admin, who can invite and remove members' : 'a member';
  const body = renderMail({
    preheader: `${from} invites you to the team ${teamName} on ${brand.name}.`,
    heading: `Join ${teamName}`,
    paragraphs: [
      `${from} invites you to join the team ${teamName} on ${brand.name} as ${as}.`,
      'As part of the team you open the tools it subscribes to, at no cost to you. If you have no account yet, you create one on the way, with this address.',
      `The link works once, until ${formatSydneyDate(expiresAt)}, and for this address only. A newer invitation replaces it.`,
    ],
    action: { label: 'Open the invitation', url },
    footer: `You receive this because ${from} entered this address. If you do not know them, ignore this email.`,
  });
  const subject = `${from} invites you to ${teamName} on ${brand.name}`;
  return context.mailer.send(context.db, { to, subject, ...body, kind: 'team-invitation' });
}
