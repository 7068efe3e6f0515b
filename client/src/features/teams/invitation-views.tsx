import { CircleX, Hourglass, LogIn, UserRoundX, Users } from 'lucide-react';
import type { ReactNode } from 'react';
import type { User } from '#shared/api/accounts.ts';
import type { ReceivedInvitation } from '#shared/api/teams.ts';
import { aRole, type InvitationObstacle, takesSeat } from '#shared/rules/people/teams.ts';
import { formatSydneyDate } from '#shared/rules/dates.ts';
import type { Outcome } from '#client/ui/outcome-panel.tsx';
import { fullName } from '#client/lib/session/people.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { ButtonLink } from '#client/ui/elements.tsx';

/** What the page says in place of the invitation, or about it. */
export type View = Outcome & { text: ReactNode };

const nameOf = (inviter: ReceivedInvitation['inviter']) => fullName(inviter) || 'The inviter';

export const Onward = ({ user, joined = false }: { user: User | null; joined?: boolean }) => {
  if (!user) return <ButtonLink href={paths.auth}>Sign in</ButtonLink>;
  if (!user.profileCompleted) return <ButtonLink href={paths.completeProfile}>Complete your profile</ButtonLink>;
  return (
    <>
      <ButtonLink href={paths.dashboard}>Go to dashboard</ButtonLink>
      {joined && (
        <ButtonLink href={paths.teams} variant="secondary">
          See your team
        </ButtonLink>
      )}
    </>
  );
};

export const noLink: View = {
  tone: 'danger',
  title: 'This page needs a link from your invitation',
  text: 'Open the link in the email that invited you to a team.',
};

export const unknownLink: View = {
  tone: 'danger',
  title: 'This invitation link is not valid',
  text: 'It may be incomplete, or a newer invitation has replaced it. Open the link of the newest email, or ask for another one.',
};

export const joinedView = ({ team: { name: team }, role }: ReceivedInvitation, user: User | null): View => ({
  tone: 'success',
  title: `Welcome to ${team}`,
  text: !takesSeat(role)
    ? 'Its record and its invoices are open to you.'
    : user?.profileCompleted
      ? 'Its tools are on your dashboard, at no cost to you, and are marked with its name.'
      : 'Complete your profile to open its tools.',
});

/** An invitation that was answered, withdrawn or has expired. */
export function overView(invitation: ReceivedInvitation): View | null {
  const { team, state, inviter, expiresAt, obstacle } = invitation;
  if (obstacle === 'team_closed') return obstacleView(invitation, obstacle, null);
  switch (state) {
    case 'pending':
      return null;
    case 'accepted':
      return {
        tone: 'success',
        title:
          obstacle === 'already_member' || obstacle === 'own_team'
            ? `You are a member of ${team.name}`
            : 'This invitation was already used',
        text: 'An invitation works once, and this one was accepted.',
      };
    case 'declined':
      return {
        tone: 'primary',
        icon: <CircleX />,
        title: 'Invitation declined',
        text: `You have not joined ${team.name}. If that was a mistake, ask ${nameOf(inviter)} to invite you again.`,
      };
    case 'revoked':
      return {
        tone: 'danger',
        icon: <CircleX />,
        title: 'This invitation was withdrawn',
        text: `${team.name} withdrew it. If you think that was a mistake, ask ${nameOf(inviter)}.`,
      };
    case 'expired':
      return {
        tone: 'danger',
        icon: <Hourglass />,
        title: 'This invitation has expired',
        text: `It was open until ${formatSydneyDate(expiresAt)}. Ask ${nameOf(inviter)} to send it again.`,
      };
  }
}

export function obstacleView(invitation: ReceivedInvitation, obstacle: InvitationObstacle, user: User | null): View {
  const { team, email, inviter } = invitation;
  switch (obstacle) {
    case 'team_closed':
      return {
        tone: 'danger',
        icon: <CircleX />,
        title: 'This team was closed',
        text: `${team.name} no longer exists, so you can’t use this invitation.`,
      };
    case 'own_team':
      return {
        tone: 'primary',
        icon: <Users />,
        title: 'This is your own team',
        text: `You own ${team.name}. The link is for ${email}.`,
      };
    case 'already_member':
      return {
        tone: 'success',
        title: `You are already a member of ${team.name}`,
        text: 'You don’t need to do anything.',
      };
    case 'wrong_account':
      return {
        tone: 'danger',
        icon: <UserRoundX />,
        title: 'This invitation is for another account',
        text: `It was sent to ${email}, and you are signed in as ${user?.email ?? 'somebody else'}. Sign in with the invited address to join ${team.name}.`,
      };
    case 'other_team':
      return {
        tone: 'danger',
        icon: <Users />,
        title: 'You are already a member of another team',
        text: `You can be in one team at a time. To join ${team.name}, leave the other team.`,
      };
    case 'unproved':
      return {
        tone: 'primary',
        title: `Verify your address to join ${team.name}`,
        text: `This link was passed on to you, so it does not show that ${email} is yours. Open the link in the email that invited you, or verify your address and come back.`,
      };
    case 'team_full':
      return {
        tone: 'danger',
        icon: <Users />,
        title: `${team.name} is full`,
        text: `All its seats are taken. Ask ${nameOf(inviter)} to free up a seat, then open this link again.`,
      };
  }
}

export const openView = (invitation: ReceivedInvitation, user: User | null): View => {
  const { team, inviter, role, email, expiresAt } = invitation;
  return {
    tone: 'primary',
    icon: user ? <Users /> : <LogIn />,
    title: `Join ${team.name}`,
    text: (
      <>
        <p>
          {nameOf(inviter)} invites you to {team.name} as {aRole(role)}.{' '}
          {takesSeat(role)
            ? 'You get the tools that it has for you, at no cost to you.'
            : 'You can read its record and its invoices, and review and approve its tools. You can’t open its tools.'}
        </p>
        <p className="mt-2">
          The invitation is for <strong className="font-medium break-all text-text">{email}</strong> and open until{' '}
          {formatSydneyDate(expiresAt)}.{user ? '' : ' Sign in with that address, or create an account with it.'}
        </p>
      </>
    ),
  };
};
