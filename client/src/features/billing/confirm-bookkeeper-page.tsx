import { MailCheck } from 'lucide-react';
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

/** /bookkeeper/confirm, without an account. Opening the page changes nothing: mail scanners open links, too. */
export default function ConfirmBookkeeperPage() {
  const { token, forget } = useMailedToken(paths.confirmBookkeeper);
  const { mutate, data, error, isPending } = useApiMutation(contract.books.confirmBookkeeper, {
    onSuccess: forget,
    failure: null,
  });
  useTitle('Copies of receipts and tax invoices');

  if (data) {
    return (
      <OutcomePanel tone="success" title="Thank you" action={home}>
        {data.message} Each of those emails has a link that stops them.
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
        A link works for seven days, and a newer one replaces it. Ask whoever wants you to have the copies to send it
        again.
      </OutcomePanel>
    );
  }
  return (
    <PressPanel
      icon={<MailCheck />}
      title="Get copies of receipts and tax invoices?"
      button="Get the copies"
      pendingLabel="Confirming…"
      pending={isPending}
      fault={error?.sentence}
      onPress={() => mutate({ body: { token } })}
    >
      They come to the address to which this link was mailed, as PDF, whenever something is paid or refunded.
    </PressPanel>
  );
}
