import { BellOff, MailCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
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

type Answered = {
  data: { message: string } | undefined;
  error: { code: string; sentence: string } | null;
  isPending: boolean;
};

type Words = {
  pageTitle: string;
  icon: ReactNode;
  question: string;
  explained: string;
  button: string;
  pendingLabel: string;
  done: string;
  afterwards: string;
  withoutLink: string;
};

type Props = { words: Words; token: string | null; answered: Answered; onPress: (token: string) => void };

const LinkPage = ({ words, token, answered: { data, error, isPending }, onPress }: Props) => {
  useTitle(words.pageTitle);
  if (data) {
    return (
      <OutcomePanel tone="success" title={words.done} action={home}>
        {`${data.message} ${words.afterwards}`}
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
        {words.withoutLink}
      </OutcomePanel>
    );
  }
  return (
    <PressPanel
      icon={words.icon}
      title={words.question}
      button={words.button}
      pendingLabel={words.pendingLabel}
      pending={isPending}
      fault={error?.sentence}
      onPress={() => onPress(token)}
    >
      {words.explained}
    </PressPanel>
  );
};

const confirming: Words = {
  pageTitle: 'Copies of receipts and tax invoices',
  icon: <MailCheck />,
  question: 'Get copies of receipts and tax invoices?',
  explained: 'We email them as PDFs to the address this link was sent to, whenever something is paid or refunded.',
  button: 'Get the copies',
  pendingLabel: 'Confirming…',
  done: 'Thank you',
  afterwards: 'Each of those emails has a link that stops them.',
  withoutLink:
    'A link works for seven days, and a newer one replaces it. Ask whoever wants you to have the copies to send it again.',
};

const stopping: Words = {
  pageTitle: 'Stop copies',
  icon: <BellOff />,
  question: 'Stop copies of receipts and tax invoices?',
  explained: 'They then go only to whoever pays.',
  button: 'Stop these emails',
  pendingLabel: 'Stopping…',
  done: 'No more copies',
  afterwards: 'Whoever asked for them has been told.',
  withoutLink: 'Open the link “Stop these emails” at the end of one of the emails.',
};

const Confirm = () => {
  const { token, forget } = useMailedToken(paths.confirmBookkeeper);
  const { mutate, ...answered } = useApiMutation(contract.books.confirmBookkeeper, {
    onSuccess: forget,
    failure: null,
  });
  return (
    <LinkPage
      words={confirming}
      token={token}
      answered={answered}
      onPress={(used) => mutate({ body: { token: used } })}
    />
  );
};

const Stop = () => {
  const { token, forget } = useMailedToken(paths.stopBookkeeper);
  const { mutate, ...answered } = useApiMutation(contract.books.stopBookkeeper, { onSuccess: forget, failure: null });
  return (
    <LinkPage
      words={stopping}
      token={token}
      answered={answered}
      onPress={(used) => mutate({ query: {}, body: { token: used } })}
    />
  );
};

/** /bookkeeper/confirm and /bookkeeper/stop, without an account. */
export default function BookkeeperLinkPage() {
  const [path] = useLocation();
  return path === paths.stopBookkeeper ? <Stop /> : <Confirm />;
}
