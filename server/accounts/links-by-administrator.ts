import { brand } from '#shared/brand.ts';
import { audit } from '#server/audit/service.ts';
import { notify } from '#server/notifications/service.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import { type Context, inTransaction } from '#server/platform/context.ts';
import { lockUserFor } from './queries.ts';
import { issueResetLink } from './reset-password.ts';
import { issueVerification } from './verification.ts';

type AskedLink = { userId: string; reason: string };
type Link = {
  refuse: (user: ActorRow) => 'user_verified' | 'user_suspended' | null;
  issue: (inside: Context, user: ActorRow) => Promise<unknown>;
  act: 'admin.verification_sent' | 'admin.reset_link_sent';
  title: string;
  does: string;
};

/** Mails a link for an administrator. The link has its usual mail; a notice says that an administrator sent it, and why. */
const sendLink = (context: Context, { userId, reason }: AskedLink, { refuse, issue, act, title, does }: Link) =>
  inTransaction(context, async (inside, tx) => {
    const user = await lockUserFor(tx, userId);
    const refusal = refuse(user);
    if (refusal) throw new AppError(refusal);
    await issue(inside, user);
    await audit(inside, act, { user: user.id, after: { reason } });
    await notify(inside, {
      userId: user.id,
      type: 'system_alert',
      title,
      message: `An administrator of ${brand.name} sent a link to ${user.email} that ${does}. The reason: ${reason}`,
      actionUrl: '/profile?tab=security',
      dedupeKey: `${act}:${context.now().toISOString()}`,
    });
  });

/** Mails another link that verifies the address; older ones stop working. */
export const sendVerificationFor = (context: Context, asked: AskedLink) =>
  sendLink(context, asked, {
    refuse: ({ emailVerified }) => (emailVerified ? 'user_verified' : null),
    issue: issueVerification,
    act: 'admin.verification_sent',
    title: 'A verification link was sent to you',
    does: 'verifies your email address',
  });

/** Mails a link to choose a new password; until it is used, the old one stays valid. */
export const sendResetLinkFor = (context: Context, asked: AskedLink) =>
  sendLink(context, asked, {
    refuse: ({ suspendedAt }) => (suspendedAt === null ? null : 'user_suspended'),
    issue: issueResetLink,
    act: 'admin.reset_link_sent',
    title: 'A link to choose a new password was sent to you',
    does: 'sets a new password',
  });
