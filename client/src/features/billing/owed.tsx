import { useState } from 'react';
import { formatCents } from '#shared/rules/billing/money.ts';
import { restOf } from '#shared/rules/billing/bill-table.ts';
import { contract } from '#shared/api/members.ts';
import { UpdatePaymentButton } from '#client/features/billing/update-payment-button.tsx';
import { BillTable } from '#client/lib/money/bill-table.tsx';
import { listed } from '#client/lib/money/bill-words.ts';
import { HowToCancel } from '#client/features/billing/how-to-cancel.tsx';
import { CardName, type Payer, payerArgs, useForecast, useTeamName } from '#client/lib/money/payer.tsx';
import { billDay } from '#client/lib/words/format.ts';
import { useNotAllowedTools } from '#client/lib/money/not-allowed.ts';
import { Alert, Button, Text } from '#client/ui/elements.tsx';
import { api } from '#client/lib/calls/api.ts';
import { ApiError } from '#client/lib/calls/api-error.ts';
import { syncSubscription } from '#client/lib/calls/sync-subscription.ts';
import { toast } from '#client/lib/words/toast.ts';
import { refetchChangedBy } from '#client/lib/calls/use-api.ts';

/** One banner, one button for everything that the payer owes, or no longer has for free. */
export default function Owed({ teamId }: Payer) {
  const { press, pending, refusal, owed, card } = usePayOwed({ teamId });
  const team = useTeamName({ teamId });
  const notAllowed = useNotAllowedTools();
  if (!owed) return null;
  const { tried, needsAction, reason, dueCents, until, lines } = owed;
  const amount = formatCents(dueCents);
  const tools = listed(lines.map(({ toolName }) => toolName));
  const forbidden = lines.flatMap(({ toolId, toolName }) => {
    const by = notAllowed.find((one) => one.toolId === toolId);
    return by ? [{ toolName, teamName: by.teamName }] : [];
  });
  const whose = team === null ? 'Your' : `${team}’s`;
  const day = billDay(until);
  const keep =
    lines.length === 0 ? '' : ` to keep ${tools}. Otherwise ${lines.length === 1 ? 'it ends' : 'they end'} that day`;
  const month = formatCents(lines.reduce((sum, { cents }) => sum + cents, 0));
  const says = tried
    ? `Please pay by ${day}${keep}${keep && ', and nothing is owed'}.`
    : `${card ? 'Start paying' : 'Add a card and start paying'} by ${day}${keep}. Once you start, ${lines.length === 1 ? 'it costs' : 'they cost'} ${month} a month, GST included, until you cancel. Nothing has been charged yet.`;
  return (
    <Alert
      tone={tried ? 'danger' : 'warning'}
      title={
        tried
          ? `${whose} payment of ${amount} ${needsAction ? 'needs your confirmation' : 'failed'}`
          : `${whose} free access has ended`
      }
      action={
        <div className="flex flex-wrap gap-2">
          {card && forbidden.length === 0 && (
            <Button className="figures" pending={pending} pendingLabel="Paying…" onClick={press}>
              <span>
                {tried ? `Pay ${amount}` : `Start paying: ${amount}`} with <CardName card={card} />
              </span>
            </Button>
          )}
          <UpdatePaymentButton teamId={teamId} size="md" variant={card ? 'secondary' : 'primary'}>
            {card ? 'Use another card' : 'Add a card'}
          </UpdatePaymentButton>
        </div>
      }
    >
      <p className="figures">
        <Text>
          {tried && reason} {forbidden.length === 0 && says}
        </Text>
        {!tried && forbidden.length === 0 && <HowToCancel />}
      </p>
      {forbidden.map(({ toolName, teamName }) => (
        <p key={toolName} className="mt-1">
          {teamName} doesn’t allow {toolName}, so this can’t be paid as it is. Cancel {toolName}, and it comes off the
          amount.
        </p>
      ))}
      {forbidden.length > 0 && (
        <p className="mt-1">
          <Text>
            {forbidden.length < lines.length && `Then you can pay the rest by ${day}. `}Otherwise access ends that day,
            and nothing is owed.
          </Text>
        </p>
      )}
      {refusal && refusal !== reason && (
        <p role="alert" className="mt-1 font-medium">
          {refusal}
        </p>
      )}
      <details className="mt-2">
        <summary>See the bill</summary>
        <div className="mt-1 max-w-prose">
          <BillTable
            label="What is owed"
            lines={lines}
            parts={owed.parts}
            {...restOf({ ...owed, totalCents: dueCents })}
            totalCents={dueCents}
            totalLabel="To pay"
          />
        </div>
      </details>
    </Alert>
  );
}

/** Charges everything that is owed to the card on file, with the bank's authentication if it wants one. Without a card it does nothing. */
const usePayOwed = (payer: Payer) => {
  const [pending, setPending] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const { data: { owed, card } = { owed: null, card: null } } = useForecast(payer);

  const pay = async () => {
    if (!owed || !card) return;
    const charge = { cents: owed.dueCents, last4: card.last4 };
    const { clientSecret } = await api.billing.pay({ body: { ...payerArgs(payer), charge } });
    const toolId = owed.lines[0]?.toolId ?? owed.parts[0]?.toolId;
    const refused = clientSecret === null ? null : await authenticated(clientSecret);
    if (clientSecret !== null && toolId !== undefined) await syncSubscription(toolId, payer);
    if (refused === null)
      toast({ title: 'Payment Successful', description: `${formatCents(owed.dueCents)} paid. Your tools continue.` });
    else {
      setRefusal(refused);
      toast({ title: 'Payment Failed', variant: 'destructive' });
    }
  };
  const press = () => {
    if (pending) return;
    setPending(true);
    setRefusal(undefined);
    pay()
      .catch((error: unknown) => {
        setRefusal(error instanceof ApiError ? error.sentence : 'An unexpected error occurred. Please try again.');
        // What is owed, or the card, has changed elsewhere.
        return refetchChangedBy(contract.billing.pay);
      })
      .finally(() => setPending(false));
  };
  return { press, pending, refusal, owed, card };
};

const authenticated = async (clientSecret: string) => {
  const { authenticate } = await import('#client/lib/session/authenticate.ts');
  return authenticate(clientSecret);
};
