import { CircleCheck } from 'lucide-react';
import { type ReactNode, type SyntheticEvent, useEffect, useRef, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { centsOf, formatCents } from '#shared/rules/billing/money.ts';
import type { Charge } from '#shared/api/charge.ts';
import { contract } from '#shared/api/members.ts';
import type { Quote } from '#shared/api/subscriptions.ts';
import { monthsText } from '#shared/rules/dates.ts';
import { TrialOffer } from '#client/features/subscriptions/subscribe/trial-offer.tsx';
import { codeArgs, type Purchase, usePurchase } from '#client/features/subscriptions/subscribe/use-purchase.ts';
import { type Outcome, purchaseOutcome } from '#client/features/subscriptions/purchase-outcome.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { Button, FormError, Panel, TextLink } from '#client/ui/elements.tsx';
import { termsOf } from '#client/features/subscriptions/charge-terms.ts';
import { Payment } from '#client/features/subscriptions/payment.tsx';
import {
  codeRefusal,
  PurchaseError,
  purchaseFailed,
  purchaseFailure,
} from '#client/features/subscriptions/subscribe/purchase-error.tsx';
import { ApiError, sentenceOf } from '#client/lib/calls/api-error.ts';
import { queryFor, showAnswer, write } from '#client/lib/calls/use-api.ts';
import { payerArgs } from '#client/lib/money/payer.tsx';
import { PriceLine } from '#client/features/subscriptions/price-line.tsx';
import { billDay } from '#client/lib/words/format.ts';
import { Field, Input } from '#client/ui/field.tsx';
import { rememberFocus, returnFocusSoon } from '#client/ui/return-focus.ts';

type Props = Purchase & { outcome: Outcome | null };

/** Offers a trial first; without one, the payment opens straight away. */
export const Checkout = ({ outcome, ...purchase }: Props) => {
  const { tool, quote } = purchase;
  const [paying, setPaying] = useState(false);
  if (outcome) return <Done outcome={outcome} />;
  const { trialDays, totalCents } = quote;
  if (totalCents > 0 && (trialDays === null || paying)) {
    const back = trialDays === null ? null : () => setPaying(false);
    // Another code is another price, and so another purchase.
    return <PaymentSection key={quote.code?.code ?? ''} {...purchase} onTrial={back} />;
  }
  return (
    <CheckoutCard>
      <PriceBreakdown quote={quote} unitCents={centsOf(tool.basePrice)} />
      {totalCents > 0 && <DiscountCode {...purchase} afterTrial />}
      {totalCents === 0 || trialDays === null ? (
        <FreeOffer {...purchase} />
      ) : (
        <TrialOffer {...purchase} days={trialDays} onPay={() => setPaying(true)} />
      )}
    </CheckoutCard>
  );
};

/** For a price of $0.00: no card and no trial, but still a button. */
const FreeOffer = (purchase: Purchase) => {
  const { send, pending, fault } = usePurchase(purchase);
  return (
    <>
      <FormError>{fault}</FormError>
      <Button size="lg" className="figures w-full" pending={pending} pendingLabel="Subscribing…" onClick={send}>
        Subscribe for {formatCents(purchase.quote.totalCents)}/month
      </Button>
      <p className="text-xs text-muted">No card needed. You won't be charged while this tool is free for you.</p>
    </>
  );
};

const Done = ({ outcome }: { outcome: Outcome }) => (
  <CheckoutCard>
    <div className="flex animate-rise-in flex-col items-center py-4 text-center">
      <span
        aria-hidden
        className="flex size-12 items-center justify-center rounded-full bg-success-subtle text-success"
      >
        <CircleCheck className="size-6" />
      </span>
      <p className="mt-3 text-base font-semibold">{outcome.title}</p>
      <p className="mt-1 whitespace-pre-line text-muted">{outcome.sentence}</p>
      <p className="mt-4 text-xs text-muted">
        Taking you to <TextLink href={paths.dashboard}>your dashboard</TextLink>…
      </p>
    </div>
  </CheckoutCard>
);

type SectionProps = Purchase & { onTrial: (() => void) | null };

/** With the card on file, waits for a press. For another card on a first bill, opens the purchase at once or continues the one already open. */
const PaymentSection = ({ onTrial, ...purchase }: SectionProps) => {
  const { tool, payer, quote, onDone } = purchase;
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError>();
  const order = { toolId: tool.id, ...codeArgs(quote), ...payerArgs(payer) };
  const open = (charge?: Charge) =>
    write(contract.subscriptions.create, { body: { ...order, ...(charge && { charge }) } }, { early: true }).catch(
      (fault: unknown) => {
        if (!(fault instanceof ApiError)) throw fault;
        if (!charge) setError(fault);
        // What has changed is shown at once, beside the reason.
        showAnswer(contract.subscriptions.quote, { query: order }, fault.quote);
        const refused = codeRefusal(fault);
        throw refused ? new ApiError(fault.message, { ...fault, sentence: refused }) : fault;
      },
    );
  if (error) return <PurchaseError as="h2" sentence={purchaseFailure(error)} requestId={error.requestId} />;

  const terms = termsOf(quote);
  return (
    <CheckoutCard>
      <PriceBreakdown quote={quote} unitCents={centsOf(tool.basePrice)} />
      <DiscountCode {...purchase} locked={busy} />
      <Payment
        toolId={tool.id}
        payer={payer}
        terms={terms}
        subscribes
        open={open}
        failure={purchaseFailed}
        onBusy={setBusy}
        onDone={({ includesLostMoney = false }, paid) => onDone(purchaseOutcome(paid, tool.name, includesLostMoney))}
      />
      {onTrial && !busy && (
        <Button variant="link" className="self-center" onClick={onTrial}>
          Back to the free trial
        </Button>
      )}
    </CheckoutCard>
  );
};

const CheckoutCard = ({ children }: { children: ReactNode }) => (
  <Panel title="Complete Your Subscription" bodyClassName="flex flex-col gap-4">
    {children}
  </Panel>
);

type BreakdownProps = { quote: Quote; unitCents: number };

const PriceBreakdown = ({ quote, unitCents }: BreakdownProps) => {
  const { baseCents, totalCents, wholeMonth } = quote;
  const [price, ...discounts] = quote.lines;
  const members = unitCents > 0 ? baseCents / unitCents : 1;
  const reduced = totalCents < baseCents;
  // Tools that end by then may take their part of a volume discount along.
  const then = wholeMonth && wholeMonth.priceCents !== totalCents ? wholeMonth : null;
  return (
    <dl className="figures flex flex-col gap-2">
      <PriceLine label={`${price?.label ?? 'Subscription'}, monthly`}>
        {reduced ? (
          <s className="text-muted">
            <span className="sr-only">Original price </span>
            {formatCents(baseCents)}
          </s>
        ) : (
          formatCents(baseCents)
        )}
      </PriceLine>
      {discounts.map(({ label, cents }) => (
        <PriceLine key={label} label={label} className="text-success">
          {formatCents(cents)}
        </PriceLine>
      ))}
      {members > 1 && (
        <PriceLine label="Per member" className="text-muted">
          {formatCents(Math.round(totalCents / members))}
        </PriceLine>
      )}
      <div className="mt-1 flex items-baseline justify-between gap-4 border-t pt-3">
        <dt className="font-medium">{then ? 'Total per month, today' : 'Total per month'}</dt>
        <dd className="text-lg font-semibold">{formatCents(totalCents)}</dd>
      </div>
      {then && (
        <PriceLine label={`Total per month, from ${billDay(then.at)}`} className="font-medium">
          {formatCents(then.priceCents)}
        </PriceLine>
      )}
    </dl>
  );
};

type CodeProps = Purchase & {
  /** A trial is offered first, and the code's months begin after it. */
  afterTrial?: boolean;
  /** While a payment is on its way. */
  locked?: boolean;
};

/** A field for a code, or what the entered code does to the price. */
export const DiscountCode = ({ afterTrial = false, locked = false, ...purchase }: CodeProps) => {
  const { quote, onCode } = purchase;
  const applied = useRef<HTMLDivElement>(null);
  const code = quote.code?.code;
  const [entered, setEntered] = useState(false);
  useEffect(() => {
    if (code !== undefined && entered) applied.current?.focus();
  }, [code, entered]);
  const remove = (event: SyntheticEvent) => {
    const returnFocus = rememberFocus(event.currentTarget);
    onCode(null);
    returnFocusSoon(returnFocus);
  };
  if (!quote.code) return locked ? null : <EnterCode {...purchase} onEntered={() => setEntered(true)} />;
  return (
    <div className="flex items-start justify-between gap-3">
      <div ref={applied} tabIndex={-1} role="status" className="figures min-w-0 text-xs text-success">
        {codeInWords(quote.code, afterTrial)}
      </div>
      {!locked && (
        <Button variant="link" size="sm" onClick={remove} aria-label={`Remove discount code ${code}`}>
          Remove
        </Button>
      )}
    </div>
  );
};

function codeInWords({ code, percent, months, ...after }: NonNullable<Quote['code']>, afterTrial: boolean): string {
  const { from, cents } = (afterTrial ? after.fullAfterTrial : null) ?? after.full;
  return `Discount code ${code}: ${percent}% off for ${monthsText(months)}, then ${formatCents(cents)} a month from ${billDay(from)}.`;
}

const EnterCode = ({ tool, payer, onCode, onEntered }: Purchase & { onEntered: () => void }) => {
  const client = useQueryClient();
  const [text, setText] = useState('');
  const [fault, setFault] = useState<string>();
  const [pending, setPending] = useState(false);
  const apply = async (event: SyntheticEvent) => {
    event.preventDefault();
    const code = text.trim().toUpperCase();
    if (pending || code === '') return;
    setPending(true);
    setFault(undefined);
    try {
      // The page makes the same query, and finds the answer in the cache.
      await client.fetchQuery(
        queryFor(contract.subscriptions.quote, { query: { toolId: tool.id, ...payerArgs(payer), code } }),
      );
      onEntered();
      onCode(code);
    } catch (error) {
      setFault(codeRefusal(error) ?? sentenceOf(error));
      setPending(false);
    }
  };
  return (
    <details>
      <summary className="w-fit cursor-pointer text-xs text-muted max-sm:py-3.5">Have a discount code?</summary>
      <form noValidate className="mt-2 flex items-start gap-2" onSubmit={(event) => void apply(event)}>
        <Field label="Discount code" error={fault} className="flex-1">
          <Input
            value={text}
            onChange={(event) => setText(event.target.value)}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={40}
            className="uppercase"
          />
        </Field>
        <Button type="submit" variant="secondary" className="mt-6.5" pending={pending} pendingLabel="Checking…">
          Apply
        </Button>
      </form>
    </details>
  );
};
