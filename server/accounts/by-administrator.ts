import { brand, seller } from '#shared/brand.ts';
import { accessChanged, revokeAllTokens } from '#server/access-tokens/service.ts';
import { audit } from '#server/audit/service.ts';
import { closeMakersTools } from '#server/developers/service.ts';
import { notify } from '#server/notifications/service.ts';
import { userPayer } from '#server/payers/service.ts';
import { suspensionChanged, toldBills } from '#server/subscriptions/service.ts';
import { ownsTeam } from '#server/teams/service.ts';
import { mailSubject } from '#server/platform/mail-subject.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import { AppError, orRefuse } from '#server/platform/http/app-error.ts';
import { refuseWeakPassword } from '#server/platform/crypto/weak-passwords.ts';
import { type Context, inTransaction } from '#server/platform/context.ts';
import { askerOf } from '#server/platform/http/rate-limit.ts';
import { tellSuspended } from './administrators.ts';
import { replacePassword } from './password.ts';
import { endAllSessions, findOpenUser, isLastAdmin, lockSetup, lockUserFor } from './queries.ts';
import { issueResetLink } from './reset-password.ts';

const ifWrong = () => `If you think this is a mistake, write to ${seller().supportEmail}.`;

const passwordReset = () => ({
  title: 'Your password was reset',
  message: 'An administrator reset your password, and all your sessions were signed out.',
  actionUrl: '/profile?tab=security',
  subject: mailSubject`Your ${brand.name} password was reset`,
  paragraphs: [
    `An administrator of ${brand.name} reset the password of your account, and every session was signed out. They will tell you the new password; please change it under My Profile, Security, once you have signed in.`,
    `If you did not ask for this, write to ${seller().supportEmail}.`,
  ],
});

/** The hash of a password that an administrator may set for this person. */
export async function hashPasswordFor(context: Context, userId: string, newPassword: string): Promise<string> {
  const known = await orRefuse(findOpenUser(context.db, userId), 'user_not_found');
  await refuseWeakPassword(context, 'newPassword', newPassword, known);
  return context.passwords.hash(newPassword, askerOf(context));
}

/** Sets somebody's password, in the caller's transaction: all their sessions and reset links end, and they are told. */
export async function setPasswordFor(inside: Context, userId: string, hash: string): Promise<void> {
  const user = await lockUserFor(inside.db, userId);
  await audit(inside, 'admin.password_reset', { user: user.id });
  await replacePassword(inside, user.id, hash, passwordReset());
}

type Hold = { userId: string; reason: string };

type Telling = {
  kind: string;
  title: string;
  paragraphs: string[];
  /** It says what is charged from now on. */
  isOfMoney?: boolean;
};

/** Acts on somebody's account under its lock and tells them, in one transaction. */
const holding = (
  context: Context,
  userId: string,
  act: (inside: Context, user: ActorRow) => Promise<Telling>,
): Promise<void> =>
  inTransaction(context, async (inside, tx) => {
    const user = await lockUserFor(tx, userId);
    const { kind, title, paragraphs, isOfMoney = false } = await act(inside, user);
    const subject = mailSubject`${title}`;
    await notify(inside, {
      userId: user.id,
      title,
      message: paragraphs[0]!,
      actionUrl: '/profile?tab=security',
      dedupeKey: `${kind}:${inside.now().toISOString()}`,
      mail: { kind, subject, paragraphs },
    });
    if (isOfMoney) await toldBills.keepWords(inside, userPayer(user.id), user.id, { kind, subject, paragraphs });
  });

/**
 * Keeps somebody out: sessions, launches and API keys end at once, and nothing they pay for themselves is charged until they are
 * reinstated, unless `keepCharging`. Tools that they published as a maker close to new subscribers; returns the names of these. Nobody
 * suspends themselves or the last administrator who can sign in.
 */
export async function suspend(
  context: Context,
  { userId, reason, keepCharging }: Hold & { keepCharging: boolean },
): Promise<string[]> {
  let closed: string[] = [];
  await holding(context, userId, async (inside, user) => {
    if (user.id === context.caller?.actorId) throw new AppError('suspends_self');
    if (user.isAdmin) await lockSetup(inside.db);
    if (user.isAdmin && (await isLastAdmin(inside.db, user.id))) throw new AppError('last_admin_stays');
    if (user.suspendedAt !== null) throw new AppError('already_suspended');
    const held = { suspendedAt: context.now(), suspendedFor: reason, chargesPaused: !keepCharging };
    await endAllSessions(inside.db, user.id, context.now(), held);
    const apiKeys = await revokeAllTokens(inside.db, user.id);
    await audit(inside, 'admin.user_suspended', {
      user: user.id,
      after: { reason, charges: keepCharging ? 'go on' : 'are paused', apiKeys },
    });
    await suspensionChanged(inside, user.id);
    if (user.isAdmin) await tellSuspended(inside, user, reason);
    closed = await closeMakersTools(inside, user.id);
    await accessChanged(inside, { userId: user.id });
    return {
      kind: 'account-suspended',
      title: 'Your account was suspended',
      isOfMoney: true,
      paragraphs: [
        `An administrator of ${brand.name} suspended your account. The reason: ${reason}`,
        'You were signed out everywhere and can’t sign in; your tools can’t be opened, and your API keys were revoked.',
        keepCharging
          ? 'Your subscriptions continue, and are charged as before.'
          : 'Nothing is charged for your own subscriptions meanwhile.',
        ...((await ownsTeam(inside.db, user.id))
          ? ['The tools of the team you own continue for its members, and are charged to the team’s card.']
          : []),
        ...(closed.length > 0
          ? [
              `Closed to new subscribers: ${closed.join(', ')}. Those who have it go on, with your server’s secrets and events.`,
            ]
          : []),
        ifWrong(),
      ],
    };
  });
  return closed;
}

/** Lets somebody in again; charges that were paused resume with the next bill. */
export const reinstate = (context: Context, { userId, reason }: Hold) =>
  holding(context, userId, async (inside, user) => {
    if (user.suspendedAt === null) throw new AppError('not_suspended');
    const free = { suspendedAt: null, suspendedFor: null, chargesPaused: false };
    await endAllSessions(inside.db, user.id, context.now(), free);
    await audit(inside, 'admin.user_reinstated', { user: user.id, after: { reason } });
    await suspensionChanged(inside, user.id);
    await accessChanged(inside, { userId: user.id });
    const telling = await toldBills.tellingOf(inside, userPayer(user.id));
    return {
      kind: 'account-reinstated',
      title: 'Your account is open again',
      isOfMoney: true,
      paragraphs: [
        `An administrator of ${brand.name} ended the suspension of your account. The reason: ${reason}`,
        'You can sign in as before. Your subscriptions continue. Please ask for new API keys.',
        ...toldBills.whatComesNext(telling),
      ],
    };
  });

export const endSessionsOf = (context: Context, { userId, reason }: Hold) =>
  holding(context, userId, async (inside, user) => {
    await endAllSessions(inside.db, user.id, context.now());
    await audit(inside, 'admin.sessions_ended', { user: user.id, after: { reason } });
    return {
      kind: 'sessions-ended',
      title: 'You were signed out everywhere',
      paragraphs: [
        `An administrator of ${brand.name} ended every session of your account. The reason: ${reason}`,
        'You can sign in again at any time.',
        ifWrong(),
      ],
    };
  });

/** Signs somebody out everywhere, and mails a link to choose a new password; the present one leads to that choice, too. */
export const demandPassword = (context: Context, { userId, reason }: Hold) =>
  holding(context, userId, async (inside, user) => {
    await endAllSessions(inside.db, user.id, context.now(), { mustChangePassword: true });
    // A suspended account opens to nobody, so it gets no link.
    const isOpen = user.suspendedAt === null;
    if (isOpen) await issueResetLink(inside, user);
    await audit(inside, 'admin.password_change_demanded', { user: user.id, after: { reason } });
    return {
      kind: 'password-demanded',
      title: 'Please choose a new password',
      paragraphs: [
        `An administrator of ${brand.name} asks you to choose a new password. The reason: ${reason}`,
        `You were signed out everywhere. ${isOpen ? 'Another email has a link to choose one. Or sign in' : 'Once your account is open again, sign in'} with your current password, and we’ll ask you for a new one.`,
        ifWrong(),
      ],
    };
  });
