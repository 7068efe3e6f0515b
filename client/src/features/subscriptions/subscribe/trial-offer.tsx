import { useEffect } from 'react';
import type { Quote } from '#shared/api/subscriptions.ts';
import { businessZone, calendarDays, day, plus } from '#shared/rules/dates.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { contract } from '#shared/api/members.ts';
import { purchaseRefusals } from '#shared/api/purchase-refusals.ts';
import { type Purchase, usePurchase } from '#client/features/subscriptions/subscribe/use-purchase.ts';
import { businessNow } from '#client/lib/words/business-time.ts';
import { HowToCancel } from '#client/features/billing/how-to-cancel.tsx';
import { dayBefore } from '#client/features/subscriptions/charge-terms.ts';
import { PriceLine } from '#client/features/subscriptions/price-line.tsx';
import { CardName, useCardOnFile } from '#client/lib/money/payer.tsx';
import { billDay } from '#client/lib/words/format.ts';
import { useSignedInUser, useUser } from '#client/lib/session/session.ts';
import { Alert, Button, FormError } from '#client/ui/elements.tsx';
import { sentenceOf } from '#client/lib/calls/api-error.ts';
import { toast, toastError } from '#client/lib/words/toast.ts';
import { useApiMutation } from '#client/lib/calls/use-api.ts';

type Props = Purchase & { days: number; onPay: () => void };

/** Whether the first bill with the tool is nothing but its month. */
const isAlone = ({ at, totalCents, priceCents }: NonNullable<Quote['afterTrial']>, endsAt: Date) =>
  totalCents === priceCents && calendarDays(endsAt, at, businessZone) === 0;

/** What a card on file is charged after the trial: the text before and after its name. */
function afterTrial({ afterTrial: bill, totalCents, code }: Quote, endsAt: Date): [string, string] {
  const full = code?.fullAfterTrial;
  const then = full ? `; from ${billDay(full.from)} it costs ${formatCents(full.cents)} a month` : '';
  if (!bill) return [`We’ll charge ${formatCents(totalCents)} a month to `, `${then}.`];
  const price = formatCents(bill.priceCents);
  const on = billDay(bill.at);
  if (bill.totalCents === 0)
    return [
      `It continues, and your credit pays. Once that is used up, we’ll charge ${formatCents(bill.monthCents)} a month to `,
      '.',
    ];
  if (isAlone(bill, endsAt)) return [`We’ll charge ${price} to `, ` on ${on}, then monthly${then}.`];
  return [`We’ll charge that bill to `, `${then}.`];
}

/** The bill that has the tool first, where it is not the tool's month alone. */
const FirstBill = ({ quote: { afterTrial: bill }, name, endsAt }: { quote: Quote; name: string; endsAt: Date }) => {
  if (!bill || bill.totalCents === 0 || isAlone(bill, endsAt)) return null;
  const { at, totalCents, priceCents, monthCents, allMonthCents } = bill;
  const day = billDay(at);
  const rows = [
    [`${name}, ${billDay(endsAt)} to ${billDay(dayBefore(at))}`, priceCents - monthCents],
    [`${name}, from ${day}`, monthCents],
    ['The rest of your bill', totalCents - priceCents],
  ] as const;
  return (
    <dl className="figures flex flex-col gap-1.5 text-muted">
      {rows
        .filter(([, cents]) => cents !== 0)
        .map(([label, cents]) => (
          <PriceLine key={label} label={label}>
            {formatCents(cents)}
          </PriceLine>
        ))}
      <PriceLine label={`Your bill of ${day}`} className="border-t pt-1.5 font-medium text-text">
        {formatCents(totalCents)}
      </PriceLine>
      {allMonthCents !== totalCents && (
        <PriceLine label="Then each month" className="font-medium text-text">
          {formatCents(allMonthCents)}
        </PriceLine>
      )}
    </dl>
  );
};

export const TrialOffer = ({ days, onPay, ...purchase }: Props) => {
  const { tool, payer, quote } = purchase;
  const user = useSignedInUser();
  const { send, pending, fault } = usePurchase(purchase, { trial: true });
  const endsAt = plus(businessNow(), days * day);
  const ends = billDay(endsAt);
  // With a card on file the trial converts, so its date and amount are shown.
  const card = useCardOnFile(payer).data;
  const [before, after] = afterTrial(quote, endsAt);
  const ending = user.emailVerified
    ? `Your trial ends on ${ends}`
    : `Your ${days} days start when you press the button. The trial ends after them`;
  return (
    <div className="flex flex-col gap-4">
      {user.emailVerified && (
        <p className="figures rounded bg-surface-subtle p-3">
          <span className="font-medium">Due today $0.00.</span> Free until {ends}.
        </p>
      )}
      <Button
        size="lg"
        className="w-full"
        disabled={!user.emailVerified}
        pending={pending}
        pendingLabel="Starting your trial…"
        onClick={send}
      >
        Start {days}-day free trial
      </Button>
      {!user.emailVerified && <VerifyEmailFirst email={user.email} />}
      <FormError>{fault}</FormError>
      {card && <FirstBill quote={quote} name={tool.name} endsAt={endsAt} />}
      <p className="figures text-sm text-muted">
        {card ? (
          <>
            {before}
            <CardName card={card} />
            {after}
            <HowToCancel trial />
          </>
        ) : (
          `No card needed. ${ending} unless you add a card; then it’s ${formatCents(quote.afterTrial?.monthCents ?? quote.totalCents)} a month from that day.`
        )}
      </p>
      <div className="flex items-center gap-3 text-xs text-muted before:flex-1 before:border-t after:flex-1 after:border-t">
        or
      </div>
      <Button variant="secondary" className="w-full" aria-disabled={pending} onClick={() => !pending && onPay()}>
        {quote.dueTodayCents > 0 ? `Skip the trial: pay ${formatCents(quote.dueTodayCents)}` : 'Skip the trial'}
      </Button>
    </div>
  );
};

/** Replaces the trial's button until the email address is verified. */
const VerifyEmailFirst = ({ email }: { email: string }) => {
  const { refetch } = useUser();
  const resend = useApiMutation(contract.accounts.resendVerification, {
    onSuccess: ({ message }) => toast({ title: 'Verification email sent', description: message }),
    onError: (error) => {
      // The address was verified in another window.
      if (error.code === 'already_verified') return void refetch();
      if (error.code !== 'unauthorized')
        toastError(sentenceOf(error, 'The verification email could not be sent. Please try again.'));
    },
  });

  useEffect(() => {
    const lookAgain = () => void refetch();
    window.addEventListener('focus', lookAgain);
    return () => window.removeEventListener('focus', lookAgain);
  }, [refetch]);

  return (
    <Alert tone="warning" title={purchaseRefusals.email_unverified[1]}>
      <p className="mt-1">
        Open the link we sent to <span className="break-all">{email}</span>, then come back here.
      </p>
      <Button
        variant="secondary"
        size="sm"
        className="mt-3"
        pending={resend.isPending}
        pendingLabel="Sending…"
        onClick={() => resend.mutate()}
      >
        Resend
      </Button>
    </Alert>
  );
};
