import { formatSydneyDate } from '#shared/rules/dates.ts';
import { useState } from 'react';
import * as z from 'zod';
import type { Subscription } from '#shared/api/subscriptions.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { lostMoneyTool } from '#shared/rules/tools/tools.ts';
import { reason } from '#shared/api/operators/acts.ts';
import type { Reply } from '#shared/api/endpoint.ts';
import { contract } from '#shared/api/index.ts';
import { sentences, trialExtension } from '#shared/rules/operators/admin.ts';
import { freeMonthsRange } from '#shared/rules/billing/pricing.ts';
import { typedWhole } from '#shared/rules/text.ts';
import { refetchChangedBy, useApiQuery, useFreshQuery, write } from '#client/lib/calls/use-api.ts';
import { dotted, sentenceCase } from '#client/lib/words/format.ts';
import { statusTone } from '#client/lib/words/status-tone.ts';
import { Alert, Badge, Button, Panel, Text } from '#client/ui/elements.tsx';
import { ActForm, closeAndTell, Preview } from '#client/features/admin/act-form.tsx';
import { somethingWentWrong } from '#client/lib/calls/api-error.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { Checkbox } from '#client/ui/checkbox.tsx';
import { Dialog } from '#client/ui/dialog.tsx';
import { Field, Input } from '#client/ui/field.tsx';
import { Loading, QueryView } from '#client/ui/query-view.tsx';
import { RadioGroup } from '#client/ui/radio-group.tsx';

const acted: readonly string[] = ['trial', 'active', 'grace_period'];
/** What has ended comes last, and before it what is not paid yet. */
const placeOf = ({ status }: Subscription) =>
  ['active', 'grace_period', 'trial', 'cancelled', 'expired'].indexOf(status);
const endWords: Record<string, string> = { active: 'renews', cancelled: 'paid until', expired: 'access ended' };

const labelsOf = ({ discounts }: Subscription) => discounts.map(({ label }) => label);
/** The discounts that all have which cost something: said once. */
const sharedDiscounts = (subscriptions: readonly Subscription[]) => {
  const [first, ...others] = subscriptions.filter(
    ({ status, monthlyCents }) => status !== 'expired' && monthlyCents > 0,
  );
  return first && others.length > 0
    ? labelsOf(first).filter((label) => others.every((sub) => labelsOf(sub).includes(label)))
    : [];
};

/** As their payer sees them, with the status the clock gives them now, each with what may be done about it. */
export const Subscriptions = ({
  subscriptions,
  ofTeam = false,
}: {
  subscriptions: Subscription[];
  ofTeam?: boolean;
}) => {
  const [chosen, setChosen] = useState<Subscription>();
  const sorted = subscriptions.toSorted((a, b) => placeOf(a) - placeOf(b) || a.tool.name.localeCompare(b.tool.name));
  const shared = sharedDiscounts(subscriptions);
  return (
    <Panel
      title="Subscriptions"
      description={dotted([
        `As the ${ofTeam ? 'practice' : 'user'} sees them now`,
        ...shared.map((label) => `${label} on all`),
      ])}
    >
      {subscriptions.length === 0 ? (
        <p className="text-sm text-muted">No subscriptions.</p>
      ) : (
        <ul className="divide-y text-sm">
          {sorted.map((sub) => (
            <li key={sub.id} className="py-3 first:pt-0 last:pb-0">
              <p className="flex flex-wrap items-center gap-2 font-medium">
                {sub.tool.name}
                <Badge tone={statusTone[sub.status]}>{sentenceCase(sub.status.replaceAll('_', ' '))}</Badge>
                {!sub.hasAccess && sub.status !== 'expired' && <Badge tone="danger">No access</Badge>}
                {acted.includes(sub.status) && sub.toolId !== lostMoneyTool && (
                  <Button
                    variant="secondary"
                    size="sm"
                    className="ml-auto sm:-my-1"
                    aria-label={`Manage ${sub.tool.name}`}
                    onClick={() => setChosen(sub)}
                  >
                    Manage…
                  </Button>
                )}
              </p>
              <p className="figures mt-1 text-muted">
                <Text>
                  {sentenceCase(
                    dotted([
                      sub.status !== 'expired' &&
                        `${sub.monthlyCents === 0 ? 'Free' : `${formatCents(sub.monthlyCents)} a month`}${!ofTeam && sub.teamName ? `, paid by ${sub.teamName}` : ''}`,
                      ...(sub.status === 'expired' ? [] : labelsOf(sub))
                        .filter((label) => !shared.includes(label))
                        .map((label) => label.replaceAll(' ', '\u00a0')),
                      sub.status !== 'expired' && !sub.autoRenew && 'auto-renew off',
                      `since ${formatSydneyDate(sub.createdAt)}`,
                      sub.trialEndDate && sub.status === 'trial' && `trial ends ${formatSydneyDate(sub.trialEndDate)}`,
                      sub.gracePeriodEnd &&
                        sub.status === 'grace_period' &&
                        `access until ${formatSydneyDate(sub.gracePeriodEnd)}`,
                      sub.endDate &&
                        sub.status in endWords &&
                        `${sub.autoRenew || sub.status === 'expired' ? endWords[sub.status] : endWords['cancelled']} ${formatSydneyDate(sub.endDate)}`,
                    ]),
                  )}
                </Text>
              </p>
              {sub.paymentProblem && (
                <p className={`mt-1 ${sub.paymentProblem.tried ? 'text-danger' : 'text-warning'}`}>
                  {sub.paymentProblem.tried
                    ? `The bill of ${formatCents(sub.paymentProblem.amountCents)} is not paid. They read: “${sub.paymentProblem.reason}”`
                    : 'Free access has ended, and nothing was charged.'}
                </p>
              )}
            </li>
          ))}
        </ul>
      )}
      {chosen && <SubscriptionDialog subscription={chosen} onClose={() => setChosen(undefined)} />}
    </Panel>
  );
};

type Outlook = Reply<typeof contract.acts.subscriptionOutlook>;
type Action = 'extend' | 'free' | 'atPeriodEnd' | 'now';
const { usual } = trialExtension;
const isWithin = (text: string, range: { min: number; max: number }) =>
  typedWhole(text) >= range.min && typedWhole(text) <= range.max;
const isDays = (text: string) => isWithin(text, trialExtension);
const words: Record<Action, { label: string; button: string; pending: string }> = {
  extend: { label: 'Extend the trial', button: 'Extend the trial', pending: 'Extending…' },
  free: { label: 'Give months free', button: 'Give months free', pending: 'Giving…' },
  atPeriodEnd: { label: 'Cancel at the end of the paid period', button: 'Cancel subscription', pending: 'Cancelling…' },
  now: { label: 'Cancel at once', button: 'Cancel at once', pending: 'Cancelling…' },
};

type Props = { subscription: Subscription; onClose: () => void };
type FormProps = Props & { outlook: Outlook; days: string; setDays: (days: string) => void };

const schema = z.object({ reason });

const previewOf = (action: Action, { cancel, trial }: Outlook, free: string[] | undefined) => {
  if (action === 'free') return free;
  return action === 'extend' ? trial?.preview : cancel?.[action];
};

const SubscriptionForm = ({ subscription, outlook, days, setDays, onClose }: FormProps) => {
  const { cancel, trial } = outlook;
  const isTrial = subscription.status === 'trial';
  const offered: Action[] = [
    ...(isTrial ? (['extend'] as const) : []),
    ...(subscription.status === 'grace_period' ? [] : (['free'] as const)),
    ...(cancel ? (['atPeriodEnd', 'now'] as const) : []),
  ];
  const [action, setAction] = useState<Action | undefined>(offered[0]);
  const [months, setMonths] = useState(String(freeMonthsRange.usual));
  const [all, setAll] = useState(false);
  const areMonths = isWithin(months, freeMonthsRange);
  const free = useApiQuery(
    contract.acts.freeMonthsOutlook,
    {
      params: { id: subscription.id },
      query: { months: areMonths ? typedWhole(months) : freeMonthsRange.usual, all: String(all) },
    },
    { enabled: action === 'free', keepPrevious: true },
  );
  const savedCents = free.isFetching ? null : (free.data?.savedCents ?? null);
  const form = useApiForm({
    schema,
    defaultValues: { reason: '' },
    send: (values) => {
      const params = { id: subscription.id };
      if (action === 'free' && savedCents !== null)
        return write(contract.acts.giveFreeMonths, {
          params,
          body: { ...values, months: typedWhole(months), all, savedCents },
        });
      return action === 'extend' && trial
        ? write(contract.acts.extendTrial, { params, body: { ...values, days: typedWhole(days), from: trial.from } })
        : write(contract.acts.cancel, { params, body: { ...values, cancelImmediately: action === 'now' } });
    },
    onDone: closeAndTell(onClose),
    // Something has changed: what is shown is read again, and checked before the next press.
    onFailure: ({ status }) => status === 409 && refetchChangedBy(contract.acts.giveFreeMonths),
  });
  if (!action) return <p className="text-sm">There is nothing to be done about this subscription.</p>;
  const preview = previewOf(action, outlook, free.data?.preview);
  const isReady =
    action === 'free'
      ? areMonths && savedCents !== null
      : preview !== undefined && (action !== 'extend' || isDays(days));
  const { button, pending } = words[action];
  return (
    <ActForm
      form={form}
      label="Subscription"
      help="The user reads it in our email."
      cancelLabel="Keep as it is"
      variant={action === 'extend' || action === 'free' ? 'primary' : 'danger'}
      disabled={!isReady}
      pendingLabel={pending}
      button={button}
      onClose={onClose}
    >
      <RadioGroup
        legend="What to do"
        framed
        options={offered.map((value) => ({ value, label: words[value].label }))}
        value={action}
        onChange={setAction}
      />
      {action === 'extend' && (
        <Field label="By how many days" error={isDays(days) ? undefined : sentences.trialDays}>
          <Input inputMode="numeric" value={days} onChange={(event) => setDays(event.target.value)} />
        </Field>
      )}
      {action === 'free' && (
        <div className="space-y-3">
          <Field label="How many months" error={areMonths ? undefined : sentences.freeMonths}>
            <Input inputMode="numeric" value={months} onChange={(event) => setMonths(event.target.value)} />
          </Field>
          <Checkbox
            label={
              subscription.teamName
                ? `For all tools that ${subscription.teamName} pays for`
                : 'For all tools that the user pays for'
            }
            checked={all}
            onChange={(event) => setAll(event.target.checked)}
          />
          {free.error && <Alert tone="danger">{somethingWentWrong}</Alert>}
        </div>
      )}
      {preview ? (
        <Preview sentences={preview} />
      ) : action === 'free' ? null : (
        <Alert tone="warning">
          It can’t be extended by so many days: a trial lasts at most {trialExtension.longest}.
        </Alert>
      )}
    </ActForm>
  );
};

/** Extends a trial, gives months free, or cancels for whoever pays. */
const SubscriptionDialog = ({ subscription, onClose }: Props) => {
  const [days, setDays] = useState(String(usual));
  const query = useFreshQuery(
    contract.acts.subscriptionOutlook,
    { params: { id: subscription.id }, query: { days: isDays(days) ? typedWhole(days) : usual } },
    { keepPrevious: true },
  );
  return (
    <Dialog
      onClose={onClose}
      title={subscription.tool.name}
      description={subscription.teamName ? `Paid by ${subscription.teamName}` : 'Paid by the user'}
    >
      <QueryView
        query={query}
        failedTitle="The effect of this could not be loaded"
        loading={
          <Loading label="Loading what this would do" className="grid gap-2" skeletons={['h-5', 'h-5', 'h-10']} />
        }
      >
        {(outlook) => (
          <SubscriptionForm
            subscription={subscription}
            outlook={outlook}
            days={days}
            setDays={setDays}
            onClose={onClose}
          />
        )}
      </QueryView>
    </Dialog>
  );
};
