import { MailOpen } from 'lucide-react';
import { contract } from '#shared/api/members.ts';
import { useMailedToken } from '#client/lib/session/mailed-token.ts';
import { paths, withReturnTo } from '#client/lib/pages/paths.ts';
import { useUser } from '#client/lib/session/session.ts';
import { useTitle } from '#client/lib/pages/title.ts';
import { useApiMutation } from '#client/lib/calls/use-api.ts';
import { ButtonLink } from '#client/ui/elements.tsx';
import { OutcomePanel, PressPanel } from '#client/ui/outcome-panel.tsx';

/** /change-email: only the button uses the link, so that a mail scanner's visit changes nothing. */
export default function ConfirmEmailPage() {
  const { user } = useUser();
  const { token, forget } = useMailedToken(paths.changeEmail);
  const { mutate, data, error, isPending } = useApiMutation(contract.security.confirmEmailChange, {
    onSuccess: forget,
    failure: null,
  });
  useTitle('Change your email');
  const settings = (
    <ButtonLink href={user ? paths.security : paths.auth}>{user ? 'Go to Security' : 'Sign in'}</ButtonLink>
  );
  if (data)
    return (
      <OutcomePanel tone="success" title="Your address was changed" action={settings}>
        You sign in as {data.email} from now on. We emailed your old address, where this can be undone for three days.
      </OutcomePanel>
    );
  if (!token || error?.code === 'email_link_invalid')
    return (
      <OutcomePanel tone="danger" title="This link can't be used" action={settings}>
        {error?.sentence ?? 'Please open the link in the email we sent to your new address.'}
      </OutcomePanel>
    );
  if (!user)
    return (
      <OutcomePanel
        tone="primary"
        icon={<MailOpen />}
        title="Please sign in first"
        action={<ButtonLink href={withReturnTo(paths.auth, paths.changeEmail)}>Sign in</ButtonLink>}
      >
        Sign in to the account that asked for this change, and we’ll bring you back here. If you didn&apos;t ask for it,
        ignore the email.
      </OutcomePanel>
    );
  return (
    <PressPanel
      icon={<MailOpen />}
      title="Change your email address"
      button="Use this address from now on"
      pendingLabel="Changing…"
      pending={isPending}
      fault={error?.sentence}
      onPress={() => mutate({ body: { token } })}
    >
      You are signed in as {user.email}. If you confirm, the address this link was sent to replaces it.
    </PressPanel>
  );
}
