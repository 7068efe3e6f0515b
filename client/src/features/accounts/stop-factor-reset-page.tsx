import { ShieldCheck } from 'lucide-react';
import { contract } from '#shared/api/members.ts';
import { useApiMutation } from '#client/lib/calls/use-api.ts';
import { paths, withReturnTo } from '#client/lib/pages/paths.ts';
import { useTitle } from '#client/lib/pages/title.ts';
import { useMailedToken } from '#client/lib/session/mailed-token.ts';
import { useUser } from '#client/lib/session/session.ts';
import { ButtonLink } from '#client/ui/elements.tsx';
import { OutcomePanel, PressPanel } from '#client/ui/outcome-panel.tsx';

/** /stop-factor-reset: the link mailed to somebody whose second factors are to be removed, and who still has one. */
export default function StopFactorResetPage() {
  const { user } = useUser();
  const { token, forget } = useMailedToken(paths.stopFactorReset);
  const { mutate, data, error, isPending } = useApiMutation(contract.factors.stopReset, {
    onSuccess: forget,
    failure: null,
  });
  useTitle('Keep your verification methods');
  const settings = (
    <ButtonLink href={user ? paths.security : paths.auth}>{user ? 'Go to Security' : 'Sign in'}</ButtonLink>
  );
  if (data)
    return (
      <OutcomePanel tone="success" title="The reset was stopped" action={settings}>
        Your verification methods stay as they are.
      </OutcomePanel>
    );
  if (!token || error?.code === 'no_factor_reset')
    return (
      <OutcomePanel tone="danger" title="This link can't be used" action={settings}>
        {error?.sentence ?? 'Please open the link in the email we sent you.'}
      </OutcomePanel>
    );
  if (!user)
    return (
      <OutcomePanel
        tone="primary"
        icon={<ShieldCheck />}
        title="Please sign in first"
        action={<ButtonLink href={withReturnTo(paths.auth, paths.stopFactorReset)}>Sign in</ButtonLink>}
      >
        Sign in with your app or passkey, and we’ll bring you back here. If you have lost it, you don’t need to do
        anything.
      </OutcomePanel>
    );
  return (
    <PressPanel
      icon={<ShieldCheck />}
      title="Keep your verification methods?"
      button="Keep them"
      pendingLabel="Stopping the reset…"
      pending={isPending}
      fault={error?.sentence}
      onPress={() => mutate({ body: { token } })}
    >
      An administrator was asked to remove them. If you have not lost them, stop it here.
    </PressPanel>
  );
}
