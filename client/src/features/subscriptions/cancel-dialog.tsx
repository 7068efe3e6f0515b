import { useState } from 'react';
import { contract } from '#shared/api/index.ts';
import type { Subscription } from '#shared/api/subscriptions.ts';
import {
  type CancellationReason,
  cancellationReasonLabels,
  cancellationReasons,
  cancellationTerms,
} from '#shared/rules/cancellation.ts';
import { formatSydneyDate } from '#shared/rules/dates.ts';
import { changedBySubscription, payerOf, refusalOr } from '#client/features/subscriptions/change.ts';
import { businessNow } from '#client/lib/business-time.ts';
import { useApiMutation } from '#client/lib/query-client.ts';
import { toast } from '#client/lib/toast.ts';
import { Alert } from '#client/ui/alert.tsx';
import { Button } from '#client/ui/button.tsx';
import { Dialog, DialogFooter } from '#client/ui/dialog.tsx';
import { Field } from '#client/ui/field.tsx';
import { Textarea } from '#client/ui/input.tsx';
import { RadioGroup } from '#client/ui/radio-group.tsx';

const reasons = cancellationReasons.map((value) => ({ value, label: cancellationReasonLabels[value] }));
const maxDetails = 2000;

type Props = { subscription: Subscription; open: boolean; onOpenChange: (open: boolean) => void };

/** One dialog and no second question: why, when, and what happens when (decisions §5). */
export default function CancelDialog({ subscription, open, onOpenChange }: Props) {
  const [pending, setPending] = useState(false);
  const { tool, teamName } = subscription;
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      locked={pending}
      title={`Cancel ${tool.name}${teamName ? ` for ${teamName}` : ''}`}
      description="Choose when it ends. Nothing more is charged after you confirm."
    >
      <CancelForm subscription={subscription} onClose={() => onOpenChange(false)} onPending={setPending} />
    </Dialog>
  );
}

type FormProps = { subscription: Subscription; onClose: () => void; onPending: (pending: boolean) => void };

const CancelForm = ({ subscription, onClose, onPending }: FormProps) => {
  const [reason, setReason] = useState<CancellationReason>();
  const [details, setDetails] = useState('');
  const [when, setWhen] = useState<'end' | 'now'>('end');
  const choices = whenChoices(subscription);
  const cancel = useApiMutation(contract.subscriptions.cancel, {
    invalidates: changedBySubscription,
    onMutate: () => onPending(true),
    onSettled: () => onPending(false),
    onSuccess: ({ endDate, gracePeriodEnd }) => {
      const until = endDate > businessNow() ? `You keep access until ${formatSydneyDate(endDate)}. ` : '';
      toast({
        title: 'Subscription Cancelled',
        description: `${until}You can reactivate it until ${formatSydneyDate(gracePeriodEnd)}.`,
      });
      onClose();
    },
  });
  const send = () => {
    if (!reason || cancel.isPending) return;
    const body = {
      toolId: subscription.toolId,
      ...payerOf(subscription),
      reason,
      ...(details.trim() && { details: details.trim() }),
      cancelImmediately: when === 'now',
    };
    cancel.mutate({ body });
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      className="flex flex-col gap-5"
    >
      <RadioGroup
        legend="Why are you cancelling?"
        options={reasons}
        value={reason}
        onChange={setReason}
        disabled={cancel.isPending}
      />
      <Field label="Anything else we should know?" optional>
        <Textarea
          rows={3}
          maxLength={maxDetails}
          value={details}
          onChange={(event) => setDetails(event.target.value)}
          disabled={cancel.isPending}
        />
      </Field>
      {choices.length > 1 ? (
        <RadioGroup
          framed
          legend="When should it end?"
          options={choices}
          value={when}
          onChange={setWhen}
          disabled={cancel.isPending}
        />
      ) : (
        <Alert tone="info">{choices[0]?.help}</Alert>
      )}
      {cancel.error && (
        <Alert tone="danger" announce>
          {refusalOr(cancel.error, 'Failed to cancel subscription. Please try again.')}
        </Alert>
      )}
      <DialogFooter className="mt-1">
        <Button variant="secondary" onClick={onClose} disabled={cancel.isPending}>
          Keep subscription
        </Button>
        <Button type="submit" variant="danger" disabled={!reason} pending={cancel.isPending} pendingLabel="Cancelling…">
          Confirm cancellation
        </Button>
      </DialogFooter>
    </form>
  );
};

/** The two ends and what each means, by the rule the server applies. After a failed payment there is only one. */
function whenChoices(subscription: Subscription) {
  const now = businessNow();
  const at = (immediately: boolean) => {
    const { endDate, gracePeriodEnd } = cancellationTerms(subscription, immediately, now);
    return { end: formatSydneyDate(endDate), last: formatSydneyDate(gracePeriodEnd) };
  };
  const [end, soon] = [at(false), at(true)];
  const immediately = {
    value: 'now' as const,
    label: 'Now',
    help: `Access ends today. You can reactivate until ${soon.last}.`,
  };
  if (subscription.status === 'grace_period') return [immediately];
  const period = subscription.status === 'trial' ? 'trial' : subscription.endDate ? 'paid period' : 'month';
  return [
    {
      value: 'end' as const,
      label: `At the end of the ${period}`,
      help: `You keep access until ${end.end}, and can reactivate until ${end.last}.`,
    },
    immediately,
  ];
}
