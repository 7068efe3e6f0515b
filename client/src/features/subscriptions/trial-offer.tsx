import { useRef } from 'react';
import { contract } from '#shared/api/index.ts';
import type { Quote } from '#shared/api/subscriptions.ts';
import type { Tool } from '#shared/api/tools.ts';
import { day, formatSydneyDate, plus } from '#shared/rules/dates.ts';
import { formatCents } from '#shared/rules/money.ts';
import type { Buyer } from '#client/features/subscriptions/buyer.ts';
import { payerOf } from '#client/features/subscriptions/change.ts';
import { ChargeSchedule } from '#client/features/subscriptions/charge-schedule.tsx';
import { initFailure } from '#client/features/subscriptions/init-failure.ts';
import { type Outcome, outcomeOf } from '#client/features/subscriptions/use-finish.ts';
import { VerifyFirst } from '#client/features/subscriptions/verify-first.tsx';
import { businessNow } from '#client/lib/business-time.ts';
import { useApiMutation, useApiQuery } from '#client/lib/query-client.ts';
import { useSignedInUser } from '#client/lib/session.ts';
import { Alert } from '#client/ui/alert.tsx';
import { Button } from '#client/ui/button.tsx';

type Props = {
  tool: Tool;
  buyer: Buyer;
  quote: Quote;
  days: number;
  onDone: (outcome: Outcome) => void;
  onPay: () => void;
};

/** The card-free trial first, paying now second (decisions §5). */
export const TrialOffer = ({ tool, buyer, quote, days, onDone, onPay }: Props) => {
  const user = useSignedInUser();
  const started = useRef(false);
  const trial = useApiMutation(contract.subscriptions.create, {
    onSuccess: ({ includesLostMoney }) => onDone(outcomeOf(false, tool.name, includesLostMoney)),
    onError: () => (started.current = false),
  });
  const endsAt = plus(businessNow(), days * day);
  const ends = formatSydneyDate(endsAt);
  // With a card on file the trial converts: then what follows is said as a date and an amount.
  const card = useApiQuery(contract.billing.paymentMethod, { query: payerOf(buyer) }).data;
  const total = formatCents(quote.totalCents);
  const start = () => {
    if (started.current) return;
    started.current = true;
    trial.mutate({ body: { toolId: tool.id, trial: true, ...payerOf(buyer) } });
  };
  return (
    <div className="flex flex-col gap-4">
      {user.emailVerified && (
        <ChargeSchedule
          charges={[
            { label: 'Due today', cents: 0, note: `Free until ${ends}` },
            ...(card ? [{ label: 'Next charge', cents: quote.totalCents, at: endsAt }] : []),
          ]}
        />
      )}
      {user.emailVerified ? (
        <Button
          size="lg"
          className="w-full"
          pending={trial.isPending}
          pendingLabel="Starting your trial…"
          onClick={start}
        >
          Start {days}-day free trial
        </Button>
      ) : (
        <VerifyFirst email={user.email} />
      )}
      {trial.error && (
        <Alert tone="danger" announce>
          {initFailure(trial.error)}
        </Alert>
      )}
      <p className="figures text-xs text-muted">
        {card ? (
          <>
            On {ends} it continues, and {total} is charged to the card ending in {card.last4}, then monthly. Cancel
            before that day, and nothing is charged.
          </>
        ) : (
          <>
            No card needed. On {ends} the trial ends by itself. Only if a card is on{' '}
            {buyer.teamId === null ? 'your account' : "your team's account"} by then, it continues and {total} is
            charged that day, then monthly.
          </>
        )}
      </p>
      <div className="flex items-center gap-3 text-xs text-muted before:flex-1 before:border-t after:flex-1 after:border-t">
        or
      </div>
      <Button
        variant="secondary"
        className="w-full"
        aria-disabled={trial.isPending}
        onClick={() => !trial.isPending && onPay()}
      >
        Pay by card now
      </Button>
    </div>
  );
};
