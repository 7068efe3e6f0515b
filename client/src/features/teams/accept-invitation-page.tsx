import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { contract } from '#shared/api/index.ts';
import type { ReceivedInvitation } from '#shared/api/teams.ts';
import { Accept, Decline, SignInOrUp, SwitchAccount } from '#client/features/teams/invitation-answer.tsx';
import { useInvitationToken } from '#client/features/teams/invitation-token.ts';
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
import { queryFor } from '#client/lib/query-client.ts';
import { useUser } from '#client/lib/session.ts';
import { useTitle } from '#client/lib/title.ts';
import { Card } from '#client/ui/card.tsx';
import { ErrorState } from '#client/ui/error-state.tsx';
import { OutcomePanel } from '#client/ui/outcome-panel.tsx';
import { PageSpinner } from '#client/ui/page-spinner.tsx';

const Panel = ({ view: { text, ...view }, children }: { view: View; children: React.ReactNode }) => (
  <OutcomePanel {...view} action={<div className="flex flex-wrap items-center justify-center gap-3">{children}</div>}>
    {text}
  </OutcomePanel>
);

type Props = {
  token: string;
  invitation: ReceivedInvitation;
  joined: boolean;
  onAnswered: (answered: ReceivedInvitation) => void;
};

const Invitation = ({ token, invitation, joined, onAnswered }: Props) => {
  const user = useUser().user ?? null;
  if (joined) {
    return (
      <Panel view={joinedView(invitation.team.name, user)}>
        <Onward user={user} joined />
      </Panel>
    );
  }
  const { obstacle } = invitation;
  const over = overView(invitation);
  if (over || obstacle === 'team_closed' || obstacle === 'own_team' || obstacle === 'already_member') {
    const view = over ?? (obstacle && obstacle !== 'team_closed' ? obstacleView(invitation, obstacle, user) : noLink);
    return (
      <Panel view={view}>
        <Onward user={user} joined={obstacle === 'own_team' || obstacle === 'already_member'} />
      </Panel>
    );
  }
  if (obstacle) {
    return (
      <Panel view={obstacleView(invitation, obstacle, user)}>
        {obstacle === 'wrong_account' ? <SwitchAccount /> : <Onward user={user} />}
        {obstacle !== 'wrong_account' && <Decline token={token} onAnswered={onAnswered} />}
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

/** /accept-invitation: for everybody, signed in or not; a visit changes nothing (decisions §2, §7). */
export default function AcceptInvitationPage() {
  const { user } = useUser();
  const { token, forget } = useInvitationToken();
  const [answered, setAnswered] = useState<ReceivedInvitation>();
  // Who asks decides what may be shown, so each account has an answer of its own.
  const { queryKey, ...query } = queryFor(contract.teams.invitation, { params: { token: token ?? '' } });
  const { data, error, refetch, isFetching } = useQuery({
    ...query,
    queryKey: [...queryKey, user?.id],
    enabled: token !== null && user !== undefined,
  });
  useTitle('Join a team');

  const invitation = answered ?? data;
  if (token === null) {
    return (
      <Panel view={noLink}>
        <Onward user={user ?? null} />
      </Panel>
    );
  }
  if (invitation) {
    return (
      <Invitation
        token={token}
        invitation={invitation}
        joined={answered?.state === 'accepted'}
        onAnswered={(reply) => {
          setAnswered(reply);
          forget();
        }}
      />
    );
  }
  if (error?.code === 'invitation_not_found' || error?.code === 'invalid_input') {
    return (
      <Panel view={unknownLink}>
        <Onward user={user ?? null} />
      </Panel>
    );
  }
  if (error) {
    return (
      <Card className="mx-auto mt-4 max-w-form sm:mt-8">
        <ErrorState
          title="The invitation could not be loaded"
          message={error.sentence}
          requestId={error.requestId}
          onRetry={refetch}
          retrying={isFetching}
        />
      </Card>
    );
  }
  return <PageSpinner label="Loading your invitation" />;
}
