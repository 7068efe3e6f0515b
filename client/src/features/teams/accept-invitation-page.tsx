import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { User } from '#shared/api/accounts.ts';
import { contract } from '#shared/api/members.ts';
import type { ReceivedInvitation } from '#shared/api/teams.ts';
import {
  joinedView,
  noLink,
  obstacleView,
  Onward,
  openView,
  overView,
  unknownLink,
  type View,
} from '#client/features/teams/invitation-views.tsx';
import { WhatEnds } from '#client/features/teams/leave-team.tsx';
import { useMyTeams } from '#client/features/teams/use-teams.ts';
import { useMailedToken } from '#client/lib/session/mailed-token.ts';
import { paths, withReturnTo } from '#client/lib/pages/paths.ts';
import { queryFor, useApiMutation } from '#client/lib/calls/use-api.ts';
import { useUser } from '#client/lib/session/session.ts';
import { useTitle } from '#client/lib/pages/title.ts';
import { Button, ButtonLink, Card } from '#client/ui/elements.tsx';
import { ConfirmButton } from '#client/ui/dialog.tsx';
import { OutcomePanel } from '#client/ui/outcome-panel.tsx';
import { Loading, QueryFailure } from '#client/ui/query-view.tsx';
import { useLogout } from '#client/lib/session/logout.ts';

const Panel = ({ view: { text, ...view }, children }: { view: View; children: React.ReactNode }) => (
  <OutcomePanel {...view} action={<div className="flex flex-wrap items-center justify-center gap-3">{children}</div>}>
    {text}
  </OutcomePanel>
);

/** Nothing to answer, but somewhere to go. */
const Notice = ({ view, user, joined = false }: { view: View; user: User | null | undefined; joined?: boolean }) => (
  <Panel view={view}>
    <Onward user={user ?? null} joined={joined} />
  </Panel>
);

type Props = {
  token: string;
  invitation: ReceivedInvitation;
  joined: boolean;
  onAnswered: (answered: ReceivedInvitation) => void;
};

const Invitation = ({ token, invitation, joined, onAnswered }: Props) => {
  const user = useUser().user ?? null;
  if (joined) return <Notice view={joinedView(invitation, user)} user={user} joined />;
  const { obstacle } = invitation;
  const member = obstacle === 'own_team' || obstacle === 'already_member';
  const over = overView(invitation) ?? (member ? obstacleView(invitation, obstacle, user) : null);
  if (over) return <Notice view={over} user={user} joined={member} />;
  if (obstacle) {
    return (
      <Panel view={obstacleView(invitation, obstacle, user)}>
        {obstacle === 'wrong_account' ? (
          <SwitchAccount />
        ) : (
          <>
            {obstacle === 'other_team' ? <Switch {...{ token, onAnswered, invitation }} /> : <Onward user={user} />}
            <Decline token={token} onAnswered={onAnswered} />
          </>
        )}
      </Panel>
    );
  }
  return (
    <Panel view={openView(invitation, user)}>
      {user ? <Accept token={token} onAnswered={onAnswered} /> : <SignInOrUp />}
      <Decline token={token} onAnswered={onAnswered} />
    </Panel>
  );
};

/** /accept-invitation, for everybody, signed in or not. A mail scanner's visit changes nothing. */
export default function AcceptInvitationPage() {
  const { user } = useUser();
  const { token, forget } = useMailedToken(paths.acceptInvitation);
  const [answered, setAnswered] = useState<ReceivedInvitation>();
  // The answer depends on who asks, so each account has its own key.
  const { queryKey, ...query } = queryFor(contract.teams.invitation, { params: { token: token ?? '' } });
  const read = useQuery({
    ...query,
    queryKey: [...queryKey, user?.id],
    enabled: token !== null && user !== undefined,
  });
  useTitle('Join a team');

  const { error } = read;
  const invitation = answered ?? read.data;
  if (token === null) return <Notice view={noLink} user={user} />;
  if (invitation) {
    return (
      <Invitation
        token={token}
        invitation={invitation}
        joined={answered?.state === 'accepted'}
        onAnswered={(reply) => {
          setAnswered(reply);
          // The form of their profile begins with the practice's details.
          if (user?.profileCompleted || reply.state !== 'accepted') forget();
        }}
      />
    );
  }
  if (error?.code === 'invitation_not_found' || error?.code === 'invalid_input')
    return <Notice view={unknownLink} user={user} />;
  if (error) {
    return (
      <Card className="mx-auto mt-4 max-w-form sm:mt-8">
        <QueryFailure query={read} title="The invitation could not be loaded" />
      </Card>
    );
  }
  return <Loading label="Loading your invitation" className="mx-auto mt-4 max-w-form sm:mt-8" skeletons={['h-64']} />;
}

type AnswerProps = { token: string; onAnswered: (answered: ReceivedInvitation) => void };

export const Accept = ({ token, onAnswered }: AnswerProps) => {
  const { mutate, isPending } = useApiMutation(contract.teams.acceptInvitation, {
    onSuccess: onAnswered,
    failure: 'Failed to accept the invitation. Please try again.',
  });
  return (
    <Button
      size="lg"
      pending={isPending}
      pendingLabel="Joining…"
      onClick={() => mutate({ params: { token }, body: {} })}
    >
      Accept invitation
    </Button>
  );
};

/** Leaves the team that they are in, and joins this one. */
const Switch = ({ token, invitation, onAnswered }: Omit<Props, 'joined'>) => {
  const old = useMyTeams().data?.memberOf;
  const accept = useApiMutation(contract.teams.acceptInvitation, {
    onSuccess: onAnswered,
    failure: 'Failed to accept the invitation. Please try again.',
  });
  if (!old) return null;
  return (
    <ConfirmButton
      button={`Leave ${old.name} and join…`}
      look={{ variant: 'primary', size: 'lg' }}
      title={`Leave ${old.name} and join ${invitation.team.name}?`}
      keepLabel={`Stay in ${old.name}`}
      confirmLabel="Leave and join"
      pendingLabel="Joining…"
      mutation={accept}
      onConfirm={() => accept.mutate({ params: { token }, body: { leave: old.id } })}
    >
      <WhatEnds team={old} />
    </ConfirmButton>
  );
};

export const Decline = ({ token, onAnswered }: AnswerProps) => {
  const { mutate, isPending } = useApiMutation(contract.teams.declineInvitation, {
    onSuccess: onAnswered,
    failure: 'Failed to decline the invitation. Please try again.',
  });
  return (
    <Button variant="link" pending={isPending} pendingLabel="Declining…" onClick={() => mutate({ params: { token } })}>
      Decline
    </Button>
  );
};

const backHere = encodeURIComponent(paths.acceptInvitation);

/** Both lead back to the invitation. */
const SignInOrUp = () => (
  <>
    <ButtonLink href={`${paths.signUp}&returnTo=${backHere}`} size="lg">
      Create account
    </ButtonLink>
    <ButtonLink href={withReturnTo(paths.auth, paths.acceptInvitation)} variant="secondary" size="lg">
      Sign in
    </ButtonLink>
  </>
);

const SwitchAccount = () => {
  const { signOut, pending } = useLogout(paths.acceptInvitation);
  return (
    <Button size="lg" pending={pending} pendingLabel="Signing out…" onClick={signOut}>
      Sign out and use another account
    </Button>
  );
};
