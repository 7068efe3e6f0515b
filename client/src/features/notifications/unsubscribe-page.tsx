import { BellOff, CircleCheck, Link2Off } from 'lucide-react';
import { contract } from '#shared/api/members.ts';
import { useMailedToken } from '#client/lib/session/mailed-token.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { useTitle } from '#client/lib/pages/title.ts';
import { useApiMutation } from '#client/lib/calls/write.ts';
import { Alert } from '#client/ui/alert.tsx';
import { ButtonLink } from '#client/ui/button-link.tsx';
import { Button } from '#client/ui/button.tsx';
import { OutcomePanel } from '#client/ui/outcome-panel.tsx';

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
  });
  useTitle('Unsubscribe');

  if (data) {
    return (
      <OutcomePanel tone="success" icon={<CircleCheck />} title="You are unsubscribed" action={toDashboard}>
        {data.message} You&apos;ll still get receipts, payment problems and security messages. You can turn reminders on
        again in the reminder settings on your dashboard.
      </OutcomePanel>
    );
  }
  if (!token || error?.code === 'unsubscribe_invalid') {
    return (
      <OutcomePanel
        tone="danger"
        icon={<Link2Off />}
        title={token ? 'This link does not work' : 'This page needs a link from your email'}
        action={toDashboard}
      >
        Open the unsubscribe link of a reminder email, or turn reminders off in the reminder settings on your dashboard.
      </OutcomePanel>
    );
  }
  return (
    <OutcomePanel
      tone="primary"
      icon={<BellOff />}
      title="Unsubscribe from reminders?"
      action={
        <Button
          size="lg"
          pending={isPending}
          pendingLabel="Unsubscribing…"
          onClick={() => mutate({ query: {}, body: { token } })}
        >
          Unsubscribe
        </Button>
      }
    >
      You won&apos;t get any more emails about renewals, trials ending or offers to come back.
      {error && (
        <Alert tone="danger" announce className="mt-4 text-left">
          {error.sentence}
        </Alert>
      )}
    </OutcomePanel>
  );
}
