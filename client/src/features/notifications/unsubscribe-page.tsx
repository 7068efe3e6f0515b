import { BellOff } from 'lucide-react';
import { contract } from '#shared/api/members.ts';
import { useMailedToken } from '#client/lib/session/mailed-token.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { useTitle } from '#client/lib/pages/title.ts';
import { useApiMutation } from '#client/lib/calls/write.ts';
import { ButtonLink } from '#client/ui/button.tsx';
import { OutcomePanel, PressPanel } from '#client/ui/outcome-panel.tsx';

const toDashboard = (
  <ButtonLink href={paths.dashboard} variant="secondary">
    Go to dashboard
  </ButtonLink>
);

/** /unsubscribe, signed in or not. Opening the page changes nothing: mail scanners open links, too. */
export default function UnsubscribePage() {
  const { token, forget } = useMailedToken(paths.unsubscribe);
  const { mutate, data, error, isPending } = useApiMutation(contract.reminders.unsubscribe, {
    onSuccess: forget,
    failure: null,
  });
  useTitle('Unsubscribe');

  if (data) {
    return (
      <OutcomePanel tone="success" title="You are unsubscribed" action={toDashboard}>
        {data.message} You&apos;ll still get receipts, payment problems and security messages. You can turn reminders on
        again in the reminder settings on your dashboard.
      </OutcomePanel>
    );
  }
  if (!token || error?.code === 'unsubscribe_invalid') {
    return (
      <OutcomePanel
        tone="danger"
        title={token ? 'This link does not work' : 'This page needs a link from your email'}
        action={toDashboard}
      >
        Open the unsubscribe link of a reminder email, or turn reminders off in the reminder settings on your dashboard.
      </OutcomePanel>
    );
  }
  return (
    <PressPanel
      icon={<BellOff />}
      title="Unsubscribe from reminders?"
      button="Unsubscribe"
      pendingLabel="Unsubscribing…"
      pending={isPending}
      fault={error?.sentence}
      onPress={() => mutate({ query: {}, body: { token } })}
    >
      You won&apos;t get any more emails about renewals, trials ending or offers to come back.
    </PressPanel>
  );
}
