import { BellOff } from 'lucide-react';
import { brand } from '#shared/brand.ts';
import { contract } from '#shared/api/members.ts';
import { useMailedToken } from '#client/lib/session/mailed-token.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { useTitle } from '#client/lib/pages/title.ts';
import { useApiMutation } from '#client/lib/calls/use-api.ts';
import { ButtonLink } from '#client/ui/elements.tsx';
import { OutcomePanel, PressPanel } from '#client/ui/outcome-panel.tsx';

const home = (
  <ButtonLink href={paths.home} variant="secondary">
    {`About ${brand.name}`}
  </ButtonLink>
);

/** /bookkeeper/stop, without an account. Opening the page changes nothing: mail scanners open links, too. */
export default function StopBookkeeperPage() {
  const { token, forget } = useMailedToken(paths.stopBookkeeper);
  const { mutate, data, error, isPending } = useApiMutation(contract.books.stopBookkeeper, {
    onSuccess: forget,
    failure: null,
  });
  useTitle('Stop copies');

  if (data) {
    return (
      <OutcomePanel tone="success" title="No more copies" action={home}>
        {data.message} Whoever asked for them has been told.
      </OutcomePanel>
    );
  }
  if (!token || error?.code === 'email_link_invalid') {
    return (
      <OutcomePanel
        tone="danger"
        title={token ? 'This link does not work' : 'This page needs a link from your email'}
        action={home}
      >
        Open the link “Stop these emails” at the end of one of the emails.
      </OutcomePanel>
    );
  }
  return (
    <PressPanel
      icon={<BellOff />}
      title="Stop copies of receipts and tax invoices?"
      button="Stop these emails"
      pendingLabel="Stopping…"
      pending={isPending}
      fault={error?.sentence}
      onPress={() => mutate({ query: {}, body: { token } })}
    >
      They then go only to whoever pays.
    </PressPanel>
  );
}
