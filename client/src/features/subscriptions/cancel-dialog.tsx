import { useState } from 'react';
import { contract } from '#shared/api/members.ts';
import type { Subscription } from '#shared/api/subscriptions.ts';
import {
  type CancellationReason,
  cancellationReasonLabels,
  cancellationReasons,
  cancellationTerms,
} from '#shared/rules/billing/cancellation.ts';
import { formatSydneyDate } from '#shared/rules/dates.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { lostMoneyTool } from '#shared/rules/tools/tools.ts';
import { backText } from '#client/features/subscriptions/subscription-dates.ts';
import { ApiError, refusalOr } from '#client/lib/calls/api-error.ts';
import { businessNow } from '#client/lib/words/business-time.ts';
import { keepDays } from '#client/lib/money/bill-words.ts';
import { payerArgs, useForecast } from '#client/lib/money/payer.tsx';
import { AfterDecision } from '#client/lib/money/price-changes.tsx';
import { refetchChangedBy, useApiMutation, useApiQuery } from '#client/lib/calls/use-api.ts';
import { useToolLook } from '#client/lib/words/tool-look.ts';
import { toast, toastError } from '#client/lib/words/toast.ts';
import { Alert, Button, FormError, Text } from '#client/ui/elements.tsx';
import { ConfirmDialog, Dialog } from '#client/ui/dialog.tsx';
import { DialogFooter, useDialogLock } from '#client/ui/in-dialog.tsx';
import { Field, Textarea } from '#client/ui/field.tsx';
import { RadioGroup } from '#client/ui/radio-group.tsx';

const reasons = cancellationReasons.map((value) => ({ value, label: cancellationReasonLabels[value] }));
const maxDetails = 2000;

type Props = { subscription: Subscription; open: boolean; onClose: () => void };

export default function CancelDialog({ subscription, open, onClose }: Props) {
  const { tool, teamName } = subscription;
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={`Cancel ${tool.name}${teamName ? ` for ${teamName}` : ''}`}
      description={
        subscription.status === 'grace_period'
          ? 'Because the last payment failed, this ends today.'
          : 'Choose when it ends, and tell us why.'
      }
    >
      <CancelForm subscription={subscription} onClose={onClose} />
    </Dialog>
  );
}

const CancelForm = ({ subscription, onClose }: { subscription: Subscription; onClose: () => void }) => {
  const [reason, setReason] = useState<CancellationReason>();
  const [details, setDetails] = useState('');
  const [when, setWhen] = useState<'end' | 'now'>('end');
  const choices = whenChoices(subscription);
  const cancel = useApiMutation(contract.subscriptions.cancel, {
    onSuccess: ({ endDate, gracePeriodEnd }) => {
      const until = endDate > businessNow() ? `You keep access until ${formatSydneyDate(endDate)}. ` : '';
      toast({
        title: 'Subscription Cancelled',
        description: `${until}You can reactivate it until ${formatSydneyDate(gracePeriodEnd)}.`,
      });
      onClose();
    },
    onError: (error) => {
      // Cancelled in another window: this dialog goes with the button that opened it, so a toast says it.
      if (error instanceof ApiError && error.code === 'cannot_cancel') {
        toastError(`${error.sentence} This page is up to date now.`, 'Already Cancelled');
        onClose();
      }
      return refetchChangedBy(contract.subscriptions.cancel);
    },
  });
  useDialogLock(cancel.isPending);
  const send = () => {
    if (!reason || cancel.isPending) return;
    const body = {
      toolId: subscription.toolId,
      ...payerArgs(subscription),
      reason,
      ...(reason !== 'other' && details.trim() && { details: details.trim() }),
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
      <Consequences subscription={subscription} immediately={when === 'now' || choices.length === 1} />
      <RadioGroup
        legend="Why are you cancelling?"
        options={reasons}
        value={reason}
        onChange={setReason}
        disabled={cancel.isPending}
      />
      {reason && reason !== 'other' && (
        <Field label="Anything else we should know?" optional>
          <Textarea
            rows={3}
            maxLength={maxDetails}
            value={details}
            onChange={(event) => setDetails(event.target.value)}
            disabled={cancel.isPending}
          />
        </Field>
      )}
      <FormError>
        {cancel.error && refusalOr(cancel.error, 'Failed to cancel subscription. Please try again.')}
      </FormError>
      <DialogFooter className="sm:flex-wrap">
        <Button variant="secondary" onClick={onClose} disabled={cancel.isPending}>
          Keep subscription
        </Button>
        <Button type="submit" variant="danger" disabled={!reason} pending={cancel.isPending} pendingLabel="Cancelling…">
          Confirm cancellation
        </Button>
        {!reason && (
          <p className="text-xs text-muted sm:order-first sm:basis-full sm:text-right">Choose a reason first.</p>
        )}
      </DialogFooter>
    </form>
  );
};

type ConsequencesProps = { subscription: Subscription; immediately: boolean };

/** What cancelling does to money and tools, before it is confirmed. */
const Consequences = ({ subscription, immediately }: ConsequencesProps) => {
  const { toolId, teamId, teamName, status, monthlyCents } = subscription;
  const now = businessNow();
  const lookOf = useToolLook();
  const paidUntil = status === 'active' && monthlyCents > 0 ? subscription.endDate : null;
  const freeUntil = status === 'trial' ? subscription.trialEndDate : paidUntil;
  const { gracePeriodEnd: last } = cancellationTerms(subscription, immediately, now);
  const tools = useApiQuery(contract.subscriptions.list).data ?? [];
  const others = tools.filter(
    (sub) => sub.toolId !== toolId && sub.hasAccess && (teamId === null || sub.teamId === teamId),
  );
  const endsFreeTool =
    others.some((sub) => sub.toolId === lostMoneyTool && sub.teamId === teamId) &&
    others.every((sub) => sub.toolId === lostMoneyTool || sub.status === 'cancelled');
  return (
    <section aria-label="What happens next" className="text-sm">
      <h3 className="mb-1.5 font-medium">What happens next</h3>
      <ul className="list-disc space-y-1 pl-5">
        {teamName && <li>Everyone at {teamName} loses access then.</li>}
        {immediately && paidUntil && paidUntil > now && (
          <li>It is paid until {formatSydneyDate(paidUntil)}. The days left are not refunded.</li>
        )}
        <NotChargedAgain subscription={subscription} />
        {status === 'grace_period' && <OffWhatIsOwed subscription={subscription} />}
        <AfterDecision
          key={String(immediately)}
          decision={{ ...payerArgs(subscription), cancel: toolId, immediately: String(immediately) }}
        />
        {endsFreeTool && <li>{lookOf(lostMoneyTool).name} comes free with it and ends too.</li>}
        {freeUntil && freeUntil > now && monthlyCents > 0 && <li>{keepDays(backText(freeUntil, last))}</li>}
      </ul>
    </section>
  );
};

/** A bill that is being charged is fixed: cancelling is for the bills after it. */
const NotChargedAgain = ({ subscription }: { subscription: Subscription }) => {
  const { tool, teamName } = subscription;
  const charging = useForecast(subscription).data?.charging;
  const charged = charging ? [...charging.lines, ...charging.parts] : [];
  const isOnIt = charging && (charged.length === 0 || charged.some(({ toolId }) => toolId === subscription.toolId));
  const today = charging && `Today’s bill of ${formatCents(charging.totalCents)}`;
  return (
    <li className="figures">
      <Text>
        {today &&
          (isOnIt ? `${today} stays as it is. After it, ` : `${today} is for other tools, and stays as it is. `)}
        {teamName ?? (isOnIt ? 'you' : 'You')} will not be charged for {tool.name}
        {today && !isOnIt ? '.' : ' again.'}
      </Text>
    </li>
  );
};

/** After a failed payment: what comes off the one amount that is owed. */
const OffWhatIsOwed = ({ subscription }: { subscription: Subscription }) => {
  const owed = useForecast(subscription).data?.owed;
  const line = owed?.lines.find(({ subscriptionId }) => subscriptionId === subscription.id);
  if (!owed?.tried || !line) return null;
  return (
    <li className="figures">
      {owed.lines.length === 1
        ? `The unpaid ${formatCents(owed.dueCents)} is no longer owed.`
        : `Its ${formatCents(line.cents)} comes off the ${formatCents(owed.dueCents)} you owe.`}
    </li>
  );
};

/** When it can end. After a failed payment it can only end now. */
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
    help: keepDays(`Access ends today. You can reactivate until ${soon.last}.`),
  };
  if (subscription.status === 'grace_period') return [immediately];
  const period = subscription.status === 'trial' ? 'trial' : subscription.endDate ? 'paid period' : 'month';
  return [
    {
      value: 'end' as const,
      label: `At the end of the ${period}`,
      help: keepDays(`You keep access until ${end.end}, and can reactivate until ${end.last}.`),
    },
    immediately,
  ];
}

type StopProps = {
  subscription: Subscription;
  open: boolean;
  onClose: () => void;
  pending: boolean;
  error: string | null;
  onConfirm: () => void;
};

/** Says what stopping the renewal does, before it is done. */
export function StopRenewingDialog({ subscription, ...question }: StopProps) {
  const { toolId, tool, endDate, teamName } = subscription;
  const until = endDate ? ` on ${formatSydneyDate(endDate)}` : '';
  return (
    <ConfirmDialog
      {...question}
      title={`Stop renewing ${tool.name}${teamName ? ` for ${teamName}` : ''}?`}
      keepLabel="Keep renewing"
      confirmLabel="Stop renewing"
      pendingLabel="Stopping…"
    >
      <ul className="list-disc space-y-1.5 pl-5">
        <li>
          {tool.name} ends{until}, and nothing more is charged for it. You can switch it on again until then.
        </li>
        <AfterDecision decision={{ ...payerArgs(subscription), cancel: toolId }} />
      </ul>
    </ConfirmDialog>
  );
}
