import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { User } from '#shared/api/accounts.ts';
import { contract } from '#shared/api/members.ts';
import type { ReceivedInvitation } from '#shared/api/teams.ts';
import { Accept, Decline, SignInOrUp, SwitchAccount } from '#client/features/teams/invitation-answer.tsx';
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
import { useMailedToken } from '#client/lib/session/mailed-token.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { queryFor } from '#client/lib/calls/query.ts';
import { useUser } from '#client/lib/session/session.ts';
import { useTitle } from '#client/lib/pages/title.ts';
import { Card } from '#client/ui/card.tsx';
import { OutcomePanel } from '#client/ui/outcome-panel.tsx';
import { QueryFailure } from '#client/ui/query-view.tsx';
import { Loading } from '#client/ui/skeleton.tsx';

const Panel = ({ view: { text, ...view }, children }: { view: View; children: React.ReactNode }) => (
  <OutcomePanel {...view} action={<div className="flex flex-wrap items-center justify-center gap-3">{children}</div>}>
    {text}
  </OutcomePanel>
);

/** Nothing to answer, but somewhere to go. */
const Told = ({ view, user, joined = false }: { view: View; user: User | null | undefined; joined?: boolean }) => (
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
  if (joined) return <Told view={joinedView(invitation.team.name, user)} user={user} joined />;
  const { obstacle } = invitation;
  const member = obstacle === 'own_team' || obstacle === 'already_member';
  const over = overView(invitation) ?? (member ? obstacleView(invitation, obstacle, user) : null);
  if (over) return <Told view={over} user={user} joined={member} />;
  if (obstacle) {
    return (
      <Panel view={obstacleView(invitation, obstacle, user)}>
        {obstacle === 'wrong_account' ? (
          <SwitchAccount />
        ) : (
          <>
            <Onward user={user} />
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
  if (token === null) return <Told view={noLink} user={user} />;
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
  if (error?.code === 'invitation_not_found' || error?.code === 'invalid_input')
    return <Told view={unknownLink} user={user} />;
  if (error) {
    return (
      <Card className="mx-auto mt-4 max-w-form sm:mt-8">
        <QueryFailure query={read} title="The invitation could not be loaded" />
      </Card>
    );
  }
  return <Loading label="Loading your invitation" className="mx-auto mt-4 max-w-form sm:mt-8" skeletons={['h-64']} />;
}
