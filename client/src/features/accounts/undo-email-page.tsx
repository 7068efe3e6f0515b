import { useQueryClient } from '@tanstack/react-query';
import { CircleCheck, Link2Off, Undo2 } from 'lucide-react';
import { useLocation } from 'wouter';
import { contract } from '#shared/api/members.ts';
import { useMailedToken } from '#client/lib/session/mailed-token.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { clearSession } from '#client/lib/session/session.ts';
import { useTitle } from '#client/lib/pages/title.ts';
import { useApiMutation } from '#client/lib/calls/write.ts';
import { Alert } from '#client/ui/alert.tsx';
import { Button } from '#client/ui/button.tsx';
import { ButtonLink } from '#client/ui/button-link.tsx';
import { OutcomePanel } from '#client/ui/outcome-panel.tsx';

/** /undo-email-change: the link mailed to the old address, for somebody who did not ask for the change. */
export default function UndoEmailPage() {
  const queryClient = useQueryClient();
  const [, navigate] = useLocation();
  const { token, forget } = useMailedToken(paths.undoEmailChange);
  const { mutate, data, error, isPending } = useApiMutation(contract.security.undoEmailChange, {
    onSuccess: forget,
  });
  const leave = () => {
    // Every session of the account has ended; this browser's may be one of them.
    clearSession(queryClient);
    navigate(paths.auth, { replace: true });
  };
  useTitle('Undo the change of email');
  const home = <ButtonLink href={paths.auth}>Go to sign in</ButtonLink>;
  if (data)
    return (
      <OutcomePanel
        tone="success"
        icon={<CircleCheck />}
        title="The change was undone"
        action={
          <Button size="lg" onClick={leave}>
            Go to sign in
          </Button>
        }
      >
        {data.message}
      </OutcomePanel>
    );
  if (!token || error?.code === 'email_link_invalid')
    return (
      <OutcomePanel tone="danger" icon={<Link2Off />} title="This link can't be used" action={home}>
        {error?.sentence ?? 'Please open the link in the email we sent to your old address.'}
      </OutcomePanel>
    );
  return (
    <OutcomePanel
      tone="primary"
      icon={<Undo2 />}
      title="Didn't change your email address?"
      action={
        <Button size="lg" pending={isPending} pendingLabel="Undoing…" onClick={() => mutate({ body: { token } })}>
          Undo the change
        </Button>
      }
    >
      Your old address is restored, every device is signed out, second factors added since then are removed, and we send
      you a link to choose a new password.
      {error && (
        <Alert tone="danger" announce className="mt-4 text-left">
          {error.sentence}
        </Alert>
      )}
    </OutcomePanel>
  );
}
