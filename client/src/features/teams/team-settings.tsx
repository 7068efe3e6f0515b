import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { contract } from '#shared/api/members.ts';
import { type MyTeam } from '#client/features/teams/use-teams.ts';
import { api } from '#client/lib/calls/api.ts';
import { useKeptForm } from '#client/lib/forms/kept-form.ts';
import { toast } from '#client/lib/words/toast.ts';
import { useApiMutation } from '#client/lib/calls/use-api.ts';
import { Button, Card, Text } from '#client/ui/elements.tsx';
import { Switch } from '#client/ui/checkbox.tsx';
import { Form, TextField } from '#client/ui/form.tsx';
import { closingCharge, closingLabel, closingSentence } from '#client/lib/money/bill-words.ts';
import { signInWith } from '#client/lib/session/claims.ts';
import { useForecast } from '#client/lib/money/payer.tsx';
import { AskToTakeOver } from '#client/features/teams/hand-over.tsx';
import { ConfirmButton } from '#client/ui/dialog.tsx';

const Rename = ({ team }: MyTeam) => {
  const form = useKeptForm({
    schema: contract.teams.rename.body,
    defaultValues: { name: team.name },
    draft: `rename-${team.id}`,
    send: (body) => api.teams.rename({ params: { teamId: team.id }, body }),
    onDone: (renamed) => {
      form.reset({ name: renamed.name });
      toast({ title: 'Practice Renamed', description: `Your practice is now called ${renamed.name}.` });
    },
    failure: 'Failed to rename the practice.',
  });
  return (
    <Form form={form} label="Rename the practice">
      <TextField form={form} name="name" label="Practice name" autoComplete="organization" />
      <Button
        type="submit"
        variant="secondary"
        disabled={form.watch('name') === team.name}
        pending={form.pending}
        pendingLabel="Saving…"
      >
        Save name
      </Button>
    </Form>
  );
};

/** The owner decides whether members need a second factor. */
const DemandFactor = ({ team }: MyTeam) => {
  const { mutate, isPending } = useApiMutation(contract.teams.requireFactor, {
    onSuccess: ({ requiresFactor }) =>
      toast({
        title: requiresFactor ? 'Two-Step Verification Required' : 'Two-Step Verification Optional',
        description: requiresFactor
          ? 'Members without it have been told. They can open the practice’s tools once they set it up.'
          : 'Members can open the practice’s tools without it.',
      }),
    failure: 'Failed to change the setting. Please try again.',
  });
  return (
    <Switch
      label={<span className="sr-only">Require two-step verification</span>}
      checked={team.requiresFactor}
      disabled={isPending}
      onChange={(event) => mutate({ params: { teamId: team.id }, body: { required: event.target.checked } })}
    />
  );
};

/** The owner decides whether members sign in with the practice's Microsoft account. */
const DemandMicrosoft = ({ team }: MyTeam) => {
  const { mutate, isPending } = useApiMutation(contract.teams.requireMicrosoft, {
    onSuccess: ({ microsoftTenant }) =>
      toast({
        title: microsoftTenant ? 'Microsoft Account Required' : 'Microsoft Account Optional',
        description: microsoftTenant
          ? 'Members who haven’t connected theirs have been told.'
          : 'Members may sign in as they like.',
      }),
    failure: 'Failed to change the setting. Please try again.',
  });
  return (
    <Switch
      label={<span className="sr-only">Require Microsoft sign-in</span>}
      checked={team.microsoftTenant !== null}
      disabled={isPending}
      onChange={(event) => mutate({ params: { teamId: team.id }, body: { required: event.target.checked } })}
    />
  );
};

type SettingProps = { title: string; help: string; control?: ReactNode; className?: string; children?: ReactNode };

/** A setting with its switch beside it, or with its fields: at the right, on a narrow screen below. */
const Setting = ({ title, help, control, className, children }: SettingProps) => (
  <section
    aria-label={title}
    className={clsx(
      'grid items-start gap-x-6 gap-y-4 p-5',
      control ? 'grid-cols-[minmax(0,1fr)_auto]' : 'lg:grid-cols-2 lg:gap-x-12',
    )}
  >
    <div className="min-w-0">
      <h2 className={clsx('text-base', className)}>{title}</h2>
      <p className="mt-0.5 text-muted">{help}</p>
    </div>
    <div className="min-w-0">{control ?? children}</div>
  </section>
);

export const TeamSettings = (mine: MyTeam) => (
  <div className="grid gap-6">
    <Card className="divide-y">
      <Setting title="Name" help="Members see it beside their tools and on invitations.">
        <Rename key={mine.team.id} {...mine} />
      </Setting>
      <Setting
        title="Require two-step verification"
        help="Members must set it up before they open the practice’s tools."
        control={<DemandFactor {...mine} />}
      />
      {(signInWith().includes('microsoft') || mine.team.microsoftTenant !== null) && (
        <Setting
          title="Require Microsoft sign-in"
          help="Members must sign in with the practice’s Microsoft account to open its tools. Sign in with Microsoft yourself first, so that we know your organisation."
          control={<DemandMicrosoft {...mine} />}
        />
      )}
      <Setting title="Change owner" help="Another member takes over the practice and its bill once they accept.">
        <AskToTakeOver {...mine} />
      </Setting>
    </Card>
    <Card>
      <Setting
        title="Close practice"
        className="text-danger"
        help="Ends the practice’s subscriptions and removes everyone."
        control={<CloseTeam {...mine} />}
      />
    </Card>
  </div>
);

const CloseTeam = ({ team }: MyTeam) => {
  const { data: forecast, refetch } = useForecast({ teamId: team.id });
  const close = useApiMutation(contract.teams.close, {
    onSuccess: () => toast({ title: 'Practice Closed', description: `${team.name} was closed.` }),
    // The sum or the card has changed elsewhere.
    onSettled: (_closed, error) => error && refetch(),
    failure: 'Failed to close the practice. Please try again.',
  });
  return (
    <ConfirmButton
      button="Close practice…"
      look={{ variant: 'danger-outline', size: 'md' }}
      title={`Close ${team.name}?`}
      keepLabel="Keep the practice"
      confirmLabel={closingLabel('Close practice', forecast)}
      pendingLabel="Closing the practice…"
      mutation={close}
      onConfirm={() => close.mutate({ params: { teamId: team.id }, body: closingCharge(forecast) })}
    >
      <ul className="list-disc space-y-1.5 pl-5">
        <li className="figures">
          <Text>
            All subscriptions of the practice end at once, and {forecast ? closingSentence(forecast) : '…'}. Days
            already paid are not refunded.
          </Text>
        </li>
        <li>Every member leaves and loses the practice’s tools. Their own subscriptions continue.</li>
        <li>Open invitations stop working.</li>
        <li>You can still open its invoices, for as long as the law requires, and its evidence packs, for 7 years.</li>
        <li>This can&apos;t be undone.</li>
      </ul>
    </ConfirmButton>
  );
};
