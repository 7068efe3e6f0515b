import type { Quote } from '#shared/api/subscriptions.ts';
import { day, plus } from '#shared/rules/dates.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { purchaseRefusals } from '#shared/api/purchase-refusals.ts';
import { type Purchase, usePurchase } from '#client/features/subscriptions/subscribe/use-purchase.ts';
import { businessNow } from '#client/lib/words/business-time.ts';
import { HowToCancel } from '#client/features/billing/how-to-cancel.tsx';
import { CardName, useCardOnFile } from '#client/lib/money/payer.tsx';
import { billDay } from '#client/lib/words/format.ts';
import { useResendVerification } from '#client/lib/session/use-resend-verification.ts';
import { useSignedInUser } from '#client/lib/session/session.ts';
import { Alert, Button, FormError } from '#client/ui/elements.tsx';

type Props = Purchase & { days: number; onPay: () => void };

/** What a card on file is charged after the trial: the text before and after its name. */
function afterTrial({ afterTrial: bill, totalCents, code }: Quote): [string, string] {
  const full = code?.fullAfterTrial;
  const then = full ? `; from ${billDay(full.from)} it costs ${formatCents(full.cents)} a month` : '';
  if (!bill) return [`We’ll charge ${formatCents(totalCents)} a month to `, `${then}.`];
  if (bill.totalCents > 0) return ['We’ll charge ', `${then}.`];
  return [
    `It continues, and your credit pays. Once that is used up, we’ll charge ${formatCents(bill.monthCents)} a month to `,
    '.',
  ];
}

type DatesProps = { quote: Quote; name: string; free: string; from: string; hasCard: boolean };

/** What is paid on which day: today, with the first bill that has the tool, and then. */
const Dates = ({ quote: { afterTrial: bill, totalCents }, name, free, from, hasCard }: DatesProps) => {
  const rest = bill ? bill.totalCents - bill.priceCents : 0;
  const rows: [label: string, cents: number, note?: string | false][] = [
    ['Due today', 0, hasCard ? free : `${free}, no card needed`],
  ];
  if (!hasCard) {
    const cents = bill?.monthCents ?? totalCents;
    rows.push([`Then ${name}, each month`, cents, 'Only if you add a card. Without one, the trial ends by itself.']);
  } else if (bill && bill.totalCents > 0) {
    const others = rest === 0 ? '' : ` The rest of your bill: ${formatCents(rest)}.`;
    const isAlone = rest === 0 && bill.priceCents === bill.monthCents;
    const parts = !isAlone && `${name} from ${from}: ${formatCents(bill.priceCents)}.${others}`;
    rows.push([billDay(bill.at), bill.totalCents, parts], ['Then each month', bill.allMonthCents]);
  }
  return (
    <dl className="figures flex flex-col gap-2 rounded bg-surface-subtle p-3">
      {rows.map(([label, cents, note]) => (
        <div key={label} className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4">
          <dt className="font-medium">{label}</dt>
          <dd className="font-medium">{formatCents(cents)}</dd>
          {note && <dd className="col-span-2 text-xs text-muted">{note}</dd>}
        </div>
      ))}
    </dl>
  );
};

/** In place of the trial's button, until the address is verified. */
const VerifyFirst = ({ email }: { email: string }) => {
  const { send, pending, sent } = useResendVerification();
  return (
    <Alert tone="warning" title={purchaseRefusals.email_unverified[1]}>
      <p className="mb-3 break-words">
        Open the link we sent to {email}. Once you’ve verified it, the trial’s button appears here.
      </p>
      <div role="status">
        {sent ? (
          <p className="font-medium">Sent. Please also check your spam folder.</p>
        ) : (
          <Button className="w-full" pending={pending} pendingLabel="Sending…" onClick={send}>
            Resend email
          </Button>
        )}
      </div>
    </Alert>
  );
};

export const TrialOffer = ({ days, onPay, ...purchase }: Props) => {
  const { tool, payer, quote } = purchase;
  const user = useSignedInUser();
  const { send, pending, fault } = usePurchase(purchase, { trial: true });
  const endsAt = plus(businessNow(), days * day);
  const ends = billDay(endsAt);
  const free = user.emailVerified ? `Free until ${ends}` : `Free for ${days} days`;
  // With a card on file the trial converts, so its date and amount are shown.
  const card = useCardOnFile(payer).data;
  const [before, after] = afterTrial(quote);
  return (
    <div className="flex flex-col gap-4">
      <Dates {...{ quote, free }} from={ends} name={tool.name} hasCard={Boolean(card)} />
      {user.emailVerified ? (
        <Button size="lg" className="w-full" pending={pending} pendingLabel="Starting your trial…" onClick={send}>
          Start {days}-day free trial
        </Button>
      ) : (
        <VerifyFirst email={user.email} />
      )}
      <FormError>{fault}</FormError>
      {card && (
        <p className="figures text-sm text-muted">
          {before}
          <CardName card={card} />
          {after}
          <HowToCancel trial />
        </p>
      )}
      <div className="flex items-center gap-3 text-xs text-muted before:flex-1 before:border-t after:flex-1 after:border-t">
        or
      </div>
      <Button variant="secondary" className="w-full" aria-disabled={pending} onClick={() => !pending && onPay()}>
        {quote.dueTodayCents > 0 ? `Skip the trial: pay ${formatCents(quote.dueTodayCents)}` : 'Skip the trial'}
      </Button>
    </div>
  );
};
