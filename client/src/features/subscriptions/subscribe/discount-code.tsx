import { useQueryClient } from '@tanstack/react-query';
import { type SyntheticEvent, useEffect, useRef, useState } from 'react';
import { contract } from '#shared/api/members.ts';
import type { Quote } from '#shared/api/subscriptions.ts';
import { monthsText } from '#shared/rules/dates.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { codeRefusal } from '#client/features/subscriptions/subscribe/purchase-error.tsx';
import type { Purchase } from '#client/features/subscriptions/subscribe/use-purchase.ts';
import { sentenceOf } from '#client/lib/calls/api-error.ts';
import { billDay } from '#client/lib/words/format.ts';
import { queryFor } from '#client/lib/calls/query.ts';
import { Button } from '#client/ui/button.tsx';
import { Field, Input } from '#client/ui/form.tsx';
import { rememberFocus, returnFocusSoon } from '#client/ui/return-focus.ts';
import { payerArgs } from '#client/lib/money/payer.ts';

type Props = Purchase & {
  /** A trial is offered first, and the code's months begin after it. */
  afterTrial?: boolean;
  /** While a payment is on its way. */
  locked?: boolean;
};

/** A field for a code, or what the entered code does to the price. */
export const DiscountCode = ({ afterTrial = false, locked = false, ...purchase }: Props) => {
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
        {termsOf(quote.code, afterTrial)}
      </div>
      {!locked && (
        <Button variant="link" size="sm" onClick={remove} aria-label={`Remove discount code ${code}`}>
          Remove
        </Button>
      )}
    </div>
  );
};

function termsOf({ code, percent, months, ...after }: NonNullable<Quote['code']>, afterTrial: boolean): string {
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
      <summary className="w-fit cursor-pointer text-xs text-muted">Have a discount code?</summary>
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
