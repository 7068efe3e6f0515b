import { useState } from 'react';
import * as z from 'zod';
import { reason } from '#shared/api/acts.ts';
import type { Reply } from '#shared/api/endpoint.ts';
import { contract } from '#shared/api/index.ts';
import type { Subscription } from '#shared/api/subscriptions.ts';
import { sentences, trialExtension } from '#shared/rules/admin.ts';
import { Preview } from '#client/features/admin/preview.tsx';
import { somethingWentWrong } from '#client/lib/api-error.ts';
import { useApiForm } from '#client/lib/form.ts';
import { useApiQuery } from '#client/lib/query.ts';
import { toast } from '#client/lib/toast.ts';
import { write } from '#client/lib/write.ts';
import { Alert } from '#client/ui/alert.tsx';
import { Button } from '#client/ui/button.tsx';
import { Dialog, DialogFooter } from '#client/ui/dialog.tsx';
import { Field } from '#client/ui/field.tsx';
import { Form } from '#client/ui/form.tsx';
import { Input } from '#client/ui/input.tsx';
import { QueryView } from '#client/ui/query-view.tsx';
import { RadioGroup } from '#client/ui/radio-group.tsx';
import { Loading } from '#client/ui/skeleton.tsx';

type Outlook = Reply<typeof contract.acts.subscriptionOutlook>;
type Action = 'extend' | 'atPeriodEnd' | 'now';
const { min, max, usual } = trialExtension;
const isDays = (text: string) => /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max;
const words: Record<Action, { label: string; button: string; pending: string }> = {
  extend: { label: 'Extend the trial', button: 'Extend the trial', pending: 'Extending…' },
  atPeriodEnd: { label: 'Cancel at the end of what is paid', button: 'Cancel subscription', pending: 'Cancelling…' },
  now: { label: 'Cancel at once', button: 'Cancel at once', pending: 'Cancelling…' },
};

type Props = { subscription: Subscription; onClose: () => void };
type FormProps = Props & { outlook: Outlook; days: string; setDays: (days: string) => void };

const schema = z.object({ reason });

const ActForm = ({ subscription, outlook, days, setDays, onClose }: FormProps) => {
  const { cancel, trial } = outlook;
  const isTrial = subscription.status === 'trial';
  const offered: Action[] = [
    ...(isTrial ? (['extend'] as const) : []),
    ...(cancel ? (['atPeriodEnd', 'now'] as const) : []),
  ];
  const [action, setAction] = useState<Action | undefined>(offered[0]);
  const form = useApiForm({
    schema,
    defaultValues: { reason: '' },
    send: (values) => {
      const params = { id: subscription.id };
      return action === 'extend' && trial
        ? write(contract.acts.extendTrial, { params, body: { ...values, days: Number(days), from: trial.from } })
        : write(contract.acts.cancel, { params, body: { ...values, cancelImmediately: action === 'now' } });
    },
    onDone: ({ message }) => {
      onClose();
      toast({ title: message });
    },
    failure: somethingWentWrong,
  });
  if (!action) return <p className="text-sm">There is nothing to be done about this subscription.</p>;
  const preview = action === 'extend' ? trial?.preview : cancel?.[action];
  const { button, pending } = words[action];
  return (
    <Form form={form} label="Subscription" className="space-y-4" autoComplete="off">
      <RadioGroup
        legend="What to do"
        framed
        options={offered.map((value) => ({ value, label: words[value].label }))}
        value={action}
        onChange={setAction}
      />
      {action === 'extend' && (
        <Field label="By how many days" error={isDays(days) ? undefined : sentences.trialDays}>
          <Input type="number" min={min} max={max} value={days} onChange={(event) => setDays(event.target.value)} />
        </Field>
      )}
      {preview && isDays(days) ? (
        <Preview sentences={preview} />
      ) : (
        <Alert tone="warning">
          It can’t be extended by so many days: a trial lasts at most {trialExtension.longest}.
        </Alert>
      )}
      <Field label="Reason" help="The user reads it in our email." error={form.errorOf('reason')}>
        <Input {...form.register('reason')} />
      </Field>
      <DialogFooter>
        <Button variant="secondary" disabled={form.pending} onClick={onClose}>
          Keep as it is
        </Button>
        <Button
          type="submit"
          variant={action === 'extend' ? 'primary' : 'danger'}
          disabled={!preview || !isDays(days)}
          pending={form.pending}
          pendingLabel={pending}
        >
          {button}
        </Button>
      </DialogFooter>
    </Form>
  );
};

/** Extends a trial, or cancels for whoever pays. */
export const SubscriptionDialog = ({ subscription, onClose }: Props) => {
  const [days, setDays] = useState(String(usual));
  const query = useApiQuery(
    contract.acts.subscriptionOutlook,
    { params: { id: subscription.id }, query: { days: isDays(days) ? Number(days) : usual } },
    { refetchOnMount: 'always', keepPrevious: true },
  );
  return (
    <Dialog
      open
      onOpenChange={(next) => !next && onClose()}
      title={subscription.tool.name}
      description={subscription.teamName ? `Paid by ${subscription.teamName}` : 'Paid by the user'}
    >
      <QueryView
        query={query}
        failedTitle="What this would do could not be loaded"
        loading={
          <Loading label="Loading what this would do" className="grid gap-2" skeletons={['h-5', 'h-5', 'h-10']} />
        }
      >
        {(outlook) => (
          <ActForm subscription={subscription} outlook={outlook} days={days} setDays={setDays} onClose={onClose} />
        )}
      </QueryView>
    </Dialog>
  );
};
