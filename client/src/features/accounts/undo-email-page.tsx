import { useQueryClient } from '@tanstack/react-query';
import { Undo2 } from 'lucide-react';
import { useLocation } from 'wouter';
import { contract } from '#shared/api/members.ts';
import { useMailedToken } from '#client/lib/session/mailed-token.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { clearSession } from '#client/lib/session/session.ts';
import { useTitle } from '#client/lib/pages/title.ts';
import { useApiMutation } from '#client/lib/calls/use-api.ts';
import { ButtonLink } from '#client/ui/elements.tsx';
import { OutcomePanel, PressPanel } from '#client/ui/outcome-panel.tsx';

/** /undo-email-change: the link mailed to the old address, for somebody who did not ask for the change. */
export default function UndoEmailPage() {
  const queryClient = useQueryClient();
  const [, navigate] = useLocation();
  const { token, forget } = useMailedToken(paths.undoEmailChange);
  const { mutate, error, isPending } = useApiMutation(contract.security.undoEmailChange, {
    onSuccess: (undone) => {
      forget();
      // Every session of the account has ended; this browser's may be one of them.
      clearSession(queryClient);
      navigate(`${paths.secureAccount}?token=${undone.token}`, { replace: true });
    },
    failure: null,
  });
  useTitle('Undo the change of email');
  const home = <ButtonLink href={paths.auth}>Go to sign in</ButtonLink>;
  if (!token || error?.code === 'email_link_invalid')
    return (
      <OutcomePanel tone="danger" title="This link can't be used" action={home}>
        {error?.sentence ?? 'Please open the link in the email we sent to your old address.'}
      </OutcomePanel>
    );
  return (
    <PressPanel
      icon={<Undo2 />}
      title="Didn't change your email address?"
      button="Undo the change"
      pendingLabel="Undoing…"
      pending={isPending}
      fault={error?.sentence}
      onPress={() => mutate({ body: { token } })}
    >
      Your old address is restored, every device is signed out, and verification methods and API keys that were added
      around the change are removed. Then you choose a new password.
    </PressPanel>
  );
}
