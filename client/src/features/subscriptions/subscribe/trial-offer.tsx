import { day, plus } from '#shared/rules/dates.ts';
import { formatCents } from '#shared/rules/money.ts';
import { formatDay } from '#client/lib/format.ts';
import { ChargeSchedule } from '#client/features/subscriptions/subscribe/charge-schedule.tsx';
import { type Purchase, usePurchase } from '#client/features/subscriptions/subscribe/use-purchase.ts';
import { VerifyEmailFirst } from '#client/features/subscriptions/subscribe/verify-email-first.tsx';
import { businessNow } from '#client/lib/business-time.ts';
import { CardName, useCardOnFile } from '#client/lib/card-name.tsx';
import { useSignedInUser } from '#client/lib/session.ts';
import { Alert } from '#client/ui/alert.tsx';
import { Button } from '#client/ui/button.tsx';

type Props = Purchase & { days: number; onPay: () => void };

export const TrialOffer = ({ days, onPay, ...purchase }: Props) => {
  const { payer, quote } = purchase;
  const user = useSignedInUser();
  const { send, pending, fault } = usePurchase(purchase, { trial: true });
  const endsAt = plus(businessNow(), days * day);
  const ends = formatDay(endsAt);
  // With a card on file the trial converts, so its date and amount are shown.
  const card = useCardOnFile(payer).data;
  const { cents, priceCents } = quote.afterTrial ?? { cents: quote.totalCents, priceCents: quote.totalCents };
  const full = quote.code?.fullAfterTrial;
  const monthly = full
    ? `then ${quote.code?.months === 1 ? '' : `${formatCents(priceCents)} monthly, and from ${formatDay(full.from)} `}${formatCents(full.cents)} monthly`
    : cents === priceCents
      ? 'then monthly'
      : `then ${formatCents(priceCents)} monthly`;
  return (
    <div className="flex flex-col gap-4">
      {user.emailVerified && (
        <ChargeSchedule
          charges={[
            { label: 'Due today', cents: 0, note: `Free until ${ends}` },
            ...(card ? [{ label: 'Next charge', cents, at: endsAt }] : []),
          ]}
        />
      )}
      {user.emailVerified ? (
        <Button size="lg" className="w-full" pending={pending} pendingLabel="Starting your trial…" onClick={send}>
          Start {days}-day free trial
        </Button>
      ) : (
        <VerifyEmailFirst email={user.email} />
      )}
      {fault && (
        <Alert tone="danger" announce>
          {fault}
        </Alert>
      )}
      <div className="figures space-y-1 text-xs text-muted">
        {card ? (
          <p>
            {cents > 0
              ? `On ${ends} it continues, and ${formatCents(cents)} is charged to `
              : `On ${ends} it continues, paid from your credit. Once that is used up, ${formatCents(priceCents)} a month is charged to `}
            <CardName card={card} />
            {cents > 0 && `, ${monthly}`}. Cancel before that day, and nothing is charged.
          </p>
        ) : (
          <>
            <p>No card needed. On {ends} the trial ends on its own.</p>
            <p>
              Only if a card is on {payer.teamId === null ? 'your account' : "your team's account"} by then, it
              continues and{' '}
              {cents > 0
                ? `${formatCents(cents)} is charged that day, ${monthly}.`
                : `your credit pays; once that is used up, it costs ${formatCents(priceCents)} a month.`}
            </p>
          </>
        )}
      </div>
      <div className="flex items-center gap-3 text-xs text-muted before:flex-1 before:border-t after:flex-1 after:border-t">
        or
      </div>
      <Button variant="secondary" className="w-full" aria-disabled={pending} onClick={() => !pending && onPay()}>
        Pay by card now
      </Button>
    </div>
  );
};
