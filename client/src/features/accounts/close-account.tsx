import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Reply } from '#shared/api/endpoint.ts';
import { contract } from '#shared/api/members.ts';
import { dataGroups } from '#shared/rules/people/data-map.ts';
import { recordKept } from '#shared/rules/record/kept.ts';
import { api } from '#client/lib/calls/api.ts';
import { useFreshQuery } from '#client/lib/calls/use-api.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { closingCharge, closingLabel, closingSentence } from '#client/lib/money/bill-words.ts';
import { useForecast } from '#client/lib/money/payer.tsx';
import { paths } from '#client/lib/pages/paths.ts';
import { clearSession } from '#client/lib/session/session.ts';
import { toast } from '#client/lib/words/toast.ts';
import { DialogButton } from '#client/ui/dialog.tsx';
import { Text, TextLink } from '#client/ui/elements.tsx';
import { Form, FormFooter } from '#client/ui/form.tsx';
import { PasswordField } from '#client/ui/password-input.tsx';

const listed = new Intl.ListFormat('en-AU');
const erasedTitles = listed.format(
  dataGroups.flatMap(({ title, erases }) => (erases === 'all' ? [title.toLowerCase()] : [])),
);
const keptGroups = dataGroups.filter(({ erases, id }) => erases !== 'all' && id !== 'housekeeping');

const counted = (number: number, one: string) => `${number === 1 ? 'one' : number} ${one}${number === 1 ? '' : 's'}`;

type Kept = Reply<typeof contract.record.staying>['practices'][number];

/** What a practice keeps of the person's record. */
const Stays = ({ kept: { teamName, sessions, reviews } }: { kept: Kept }) => (
  <li>
    <Text>
      {teamName} keeps {counted(sessions, 'session')} with {counted(reviews, 'review')} of yours in its record of AI use
      under your name for {recordKept}, longer while it has a legal hold.
    </Text>
  </li>
);

const CloseForm = ({ email, onCancel }: { email: string; onCancel: () => void }) => {
  const queryClient = useQueryClient();
  const [, navigate] = useLocation();
  const { data: forecast, refetch } = useForecast({});
  const staying = useFreshQuery(contract.record.staying).data;
  const own = staying?.own.sessions;
  const [ownsTeam, setOwnsTeam] = useState(false);
  const form = useApiForm({
    schema: contract.security.closeAccount.body,
    defaultValues: { password: '' },
    send: (body) => api.security.closeAccount({ body: { ...body, ...closingCharge(forecast) } }),
    onDone: ({ message }) => {
      clearSession(queryClient);
      navigate(paths.home);
      toast({ title: 'Account Closed', description: message });
    },
    failure: 'Failed to close the account. Please try again.',
    onFailure: ({ code }) => {
      setOwnsTeam(code === 'owns_team');
      // The last charge or the card has changed elsewhere.
      void refetch();
    },
  });
  return (
    <Form
      form={form}
      label="Close your account"
      errorAction={ownsTeam && <TextLink href={paths.teams}>Go to your team</TextLink>}
    >
      <ul className="mb-5 list-disc space-y-1.5 pl-5">
        <li className="figures">
          <Text>
            All your subscriptions end at once, and {forecast ? closingSentence(forecast) : '…'}. Days already paid are
            not refunded.
          </Text>
        </li>
        <li>Every device is signed out. Erased at once: {erasedTitles}.</li>
        <li>
          <details>
            <summary>What is kept, and for how long</summary>
            <ul className="mt-2 space-y-1.5">
              {keptGroups.map(({ id, title, closing }) => (
                <li key={id}>
                  {title}: {closing}
                </li>
              ))}
            </ul>
          </details>
        </li>
        {staying?.practices.map((kept) => (
          <Stays key={kept.teamId} kept={kept} />
        ))}
        <li>
          We erase your own record of AI use: the client references and reviews of{' '}
          <Text>{own ? `your ${counted(own, 'session')}` : 'sessions'}</Text> outside a practice. A licensee may have to
          keep them for seven years, so <TextLink href={paths.packs()}>make an evidence pack</TextLink> first.
        </li>
        <li>This can&apos;t be undone. Download your data first if you want to keep it.</li>
      </ul>
      <input type="text" autoComplete="username" hidden readOnly value={email} />
      <PasswordField form={form} name="password" label="Your password" autoComplete="current-password" />
      <FormFooter
        form={form}
        onCancel={onCancel}
        cancelLabel="Keep my account"
        variant="danger"
        pendingLabel="Closing your account…"
      >
        {closingLabel('Close account', forecast)}
      </FormFooter>
    </Form>
  );
};

export const CloseAccount = ({ email }: { email: string }) => (
  <DialogButton button="Close account…" look={{ variant: 'danger-outline', size: 'sm' }} title="Close your account?">
    {(close) => <CloseForm email={email} onCancel={close} />}
  </DialogButton>
);
