import type { ReceivedInvitation } from '#shared/api/teams.ts';
import { contract } from '#shared/api/members.ts';
import { useLogout } from '#client/lib/session/logout.ts';
import { paths, withReturnTo } from '#client/lib/pages/paths.ts';
import { useApiMutation } from '#client/lib/calls/write.ts';
import { Button } from '#client/ui/button.tsx';
import { ButtonLink } from '#client/ui/button-link.tsx';

type Props = { token: string; onAnswered: (answered: ReceivedInvitation) => void };

export const Accept = ({ token, onAnswered }: Props) => {
  const { mutate, isPending } = useApiMutation(contract.teams.acceptInvitation, {
    onSuccess: onAnswered,
    failure: 'Failed to accept the invitation. Please try again.',
  });
  return (
    <Button size="lg" pending={isPending} pendingLabel="Joining…" onClick={() => mutate({ params: { token } })}>
      Accept invitation
    </Button>
  );
};

export const Decline = ({ token, onAnswered }: Props) => {
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
export const SignInOrUp = () => (
  <>
    <ButtonLink href={`${paths.signUp}&returnTo=${backHere}`} size="lg">
      Create account
    </ButtonLink>
    <ButtonLink href={withReturnTo(paths.auth, paths.acceptInvitation)} variant="secondary" size="lg">
      Sign in
    </ButtonLink>
  </>
);

export const SwitchAccount = () => {
  const { signOut, pending } = useLogout(withReturnTo(paths.auth, paths.acceptInvitation));
  return (
    <Button size="lg" pending={pending} pendingLabel="Signing out…" onClick={signOut}>
      Sign out and use another account
    </Button>
  );
};
