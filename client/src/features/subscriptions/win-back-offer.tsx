import { Sparkles } from 'lucide-react';
import { useRef, useState } from 'react';
import type { Reply } from '#shared/api/endpoint.ts';
import { contract } from '#shared/api/members.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { cheapest, winBackNames as names, type WinBackOfferId } from '#shared/rules/billing/win-back.ts';
import { billDay } from '#client/lib/words/format.ts';
import { usePaymentDialog } from '#client/features/subscriptions/use-payment-dialog.tsx';
import { toast } from '#client/lib/words/toast.ts';
import { write } from '#client/lib/calls/use-api.ts';
import { Badge, Button } from '#client/ui/elements.tsx';
import { rememberFocus, returnFocusSoon } from '#client/ui/return-focus.ts';
import { RadioGroup } from '#client/ui/radio-group.tsx';
import { payerArgs } from '#client/lib/money/payer.tsx';

type Offers = Reply<typeof contract.subscriptions.winBackOffers>[number];

const countOf = (count: number, one: string) => `${count} ${count === 1 ? one : `${one}s`}`;

export default function WinBackOffer({ offer, unfolded }: { offer: Offers; unfolded: boolean }) {
  const [open, setOpen] = useState(unfolded);
  const { toolId, toolName, offers, changes } = offer;
  const [chosen, setChosen] = useState<WinBackOfferId | undefined>(cheapest(offers)?.offerId);
  const refocus = useRef<() => void>(null);
  const done = () => {
    toast({ title: 'Welcome back!', description: `${toolName} is ready to open.` });
    // The card is about to disappear.
    returnFocusSoon(refocus.current);
  };
  const [askToPay, paymentDialog] = usePaymentDialog(offer, done);
  const selected = offers.find(({ offerId }) => offerId === chosen);
  return (
    <section aria-label={`Come back to ${toolName}`} className="rounded border border-primary/30 bg-primary-subtle p-4">
      <div className="flex items-start gap-3">
        <Sparkles aria-hidden className="mt-0.5 size-4 shrink-0 text-primary" />
        <div className="min-w-0 flex-1">
          <h3 className="text-sm font-semibold">Come back to {toolName}</h3>
          <p className="figures mt-1 text-xs text-muted">{usageText(offer)}</p>
          {!open && (
            <Button variant="link" size="sm" className="mt-1.5" onClick={() => setOpen(true)}>
              See the offers
            </Button>
          )}
        </div>
      </div>
      <form
        hidden={!open}
        className="mt-3 flex flex-col gap-3 [&[hidden]]:hidden"
        onSubmit={(event) => {
          event.preventDefault();
          if (!selected) return;
          refocus.current = rememberFocus(event.currentTarget);
          const { offerId, discountPercentage, months, monthlyCents: cents } = selected;
          const body = { toolId, ...payerArgs(offer), offerId, discountPercentage, months };
          askToPay({
            toolId,
            toolName,
            terms: { ...selected, cents, offer: selected },
            open: (charge) =>
              write(
                contract.subscriptions.resubscribe,
                { body: { ...body, ...(charge && { charge }) } },
                { early: true },
              ),
            failure: 'Failed to process resubscription. Please try again.',
          });
        }}
      >
        <RadioGroup
          framed="beside"
          legend="Choose an offer"
          value={chosen}
          onChange={setChosen}
          options={offers.map(({ offerId, discountPercentage, months, mostPopular, monthlyCents, thenCents }) => ({
            value: offerId,
            label: `${names[offerId]}: ${discountPercentage}% off`,
            badge: mostPopular && <Badge tone="primary">Most popular</Badge>,
            help: [
              `${formatCents(monthlyCents)} a month for ${countOf(months, 'month')}, then ${formatCents(thenCents)}.`,
              ...(changes && mostPopular ? [`The offer drops to ${changes.percent}% on ${billDay(changes.at)}.`] : []),
            ].join(' '),
          }))}
        />
        <Button type="submit" disabled={!selected} className="figures self-start max-sm:self-stretch">
          {selected ? `Resubscribe for ${formatCents(selected.monthlyCents)}/month` : 'Resubscribe'}
        </Button>
      </form>
      {paymentDialog}
    </section>
  );
}

function usageText({ daysSinceExpiry, totalSessions, averageMonthlyUsage }: Offers): string {
  const ended = daysSinceExpiry === 0 ? 'Expired today.' : `Expired ${countOf(daysSinceExpiry, 'day')} ago.`;
  if (totalSessions === 0) return ended;
  return `${ended} You opened it ${countOf(totalSessions, 'time')}, about ${averageMonthlyUsage} a month.`;
}
