import { BadgePercent, Info, Users } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { contract } from '#shared/api/members.ts';
import { purchaseRefusals } from '#shared/api/purchase-refusals.ts';
import type { Quote, Subscription } from '#shared/api/subscriptions.ts';
import { tiersOf, volumeDiscount } from '#shared/rules/billing/bulk-banner.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { teamDiscountMembers, teamDiscountMinTools, teamPercent } from '#shared/rules/billing/pricing.ts';
import { OwedBy } from '#client/features/billing/payment-banner.tsx';
import { usePurchaseOutcome } from '#client/features/subscriptions/purchase-outcome.ts';
import { Checkout } from '#client/features/subscriptions/subscribe/checkout.tsx';
import { type Refusal, refusalOf } from '#client/features/subscriptions/subscribe/eligibility.ts';
import {
  type NamedPayer,
  PayerChoice,
  usePayerChoice,
} from '#client/features/subscriptions/subscribe/payer-choice.tsx';
import { PurchaseError, purchaseFailure } from '#client/features/subscriptions/subscribe/purchase-error.tsx';
import { ToolDetails } from '#client/features/subscriptions/subscribe/tool-details.tsx';
import { BackToDashboard, columns } from '#client/features/subscriptions/subscribe/tool-heading.tsx';
import { WinBackOffers } from '#client/features/subscriptions/win-back-offers.tsx';
import { businessNow } from '#client/lib/words/business-time.ts';
import { payerArgs, useForecast } from '#client/lib/money/payer.tsx';
import { paths } from '#client/lib/pages/paths.ts';
import { chosenTool } from '#client/lib/pages/chosen-tool.ts';
import { useApiQuery } from '#client/lib/calls/use-api.ts';
import { useTitle } from '#client/lib/pages/title.ts';
import { ButtonLink, Card, TextLink, Text } from '#client/ui/elements.tsx';
import { Loading } from '#client/ui/query-view.tsx';
import { otherTools, PriceChangeItems } from '#client/lib/money/price-changes.tsx';
import { percentWords } from '#client/lib/money/volume-words.ts';

/** In the shape of the page to come. */
const ToolLoading = () => (
  <Loading
    label="Loading tool information..."
    className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_24rem] lg:gap-x-12"
    skeletons={['h-8 w-40 lg:col-span-2', 'h-96', 'h-96']}
  />
);

/** /subscribe/{toolId} */
export default function SubscribePage({ params }: { params: Record<string, string> }) {
  const toolId = params.toolId ?? '';
  const { payer, choices, choose } = usePayerChoice();
  if (!payer) return <ToolLoading />;
  return (
    <Subscribe
      key={`${toolId}:${payer.teamId ?? ''}`}
      toolId={toolId}
      payer={payer}
      choice={<PayerChoice payer={payer} choices={choices} onChoose={choose} />}
    />
  );
}

type Props = { toolId: string; payer: NamedPayer; choice: ReactNode };

const Subscribe = ({ toolId, payer, choice }: Props) => {
  const { teamId } = payer;
  const [code, setCode] = useState<string | null>(null);
  const tools = useApiQuery(contract.tools.list);
  const subscriptions = useApiQuery(contract.subscriptions.list);
  const tool = tools.data?.find(({ id, isActive }) => id === toolId && isActive);
  const { outcome, finish } = usePurchaseOutcome(toolId, payer);
  const notAllowed = useApiQuery(contract.record.notAllowed);
  // While a bill is unpaid, nothing is sold.
  const owes = useForecast(payer).data?.owed?.tried === true;
  // What was just bought here is not refused as already subscribed.
  const refusal =
    tool && subscriptions.data && !outcome
      ? refusalOf(tool, subscriptions.data, businessNow(), teamId, notAllowed.data)
      : null;
  const wanted = tool !== undefined && subscriptions.data !== undefined && !notAllowed.isPending && !refusal;
  const quote = useApiQuery(
    contract.subscriptions.quote,
    { query: { toolId, ...payerArgs(payer), ...(code !== null && { code }) } },
    { enabled: wanted },
  );
  useEffect(() => {
    if (wanted) chosenTool().keep(toolId);
  }, [wanted, toolId]);
  useTitle(tool ? `Subscribe to ${tool.name}` : 'Subscribe');

  // Data stays on the page when a refetch fails.
  const error = [tools, subscriptions, quote].find((query) => query.error && query.data === undefined)?.error;
  if (error && !outcome) return <PurchaseError sentence={purchaseFailure(error)} requestId={error.requestId} />;
  if (!tools.data || !subscriptions.data) return <ToolLoading />;
  if (!tool) return <PurchaseError sentence={purchaseRefusals.tool_not_found[1]} />;
  if (!refusal && !quote.data) return <ToolLoading />;

  return (
    <>
      <BackToDashboard />
      <div className={columns}>
        <ToolDetails
          tool={tool}
          notice={
            quote.data &&
            !refusal &&
            !outcome &&
            !owes && (
              <PriceNotice payer={payer} quote={quote.data} toolName={tool.name} subscriptions={subscriptions.data} />
            )
          }
        />
        <div className="lg:sticky lg:top-20">
          {!outcome && choice}
          {!outcome && !refusal && !owes && (
            <div className="mb-6 empty:hidden">
              <WinBackOffers teamId={teamId} toolId={toolId} />
            </div>
          )}
          {refusal ? (
            <Refused refusal={refusal} toolId={toolId} />
          ) : owes && !outcome ? (
            <>
              <h2 className="text-base">Please pay your last bill first</h2>
              <p className="mt-1 mb-4 text-muted">Once it is paid, you can add tools again.</p>
              <OwedBy teamId={teamId} />
            </>
          ) : (
            quote.data && <Checkout {...{ tool, payer, outcome }} quote={quote.data} onCode={setCode} onDone={finish} />
          )}
        </div>
      </div>
    </>
  );
};

const Refused = ({ refusal, toolId }: { refusal: Refusal; toolId: string }): ReactNode => (
  <Card className="flex flex-col items-center p-6 text-center">
    <Info aria-hidden className="size-6 text-info" />
    <h2 className="mt-3 text-base">{refusal.title}</h2>
    <p className="mt-1 text-muted">{refusal.sentence}</p>
    {refusal.detail && <p className="mt-1 break-words text-muted">{refusal.detail}</p>}
    {refusal.notAllowed && (
      <p className="mt-3">
        <TextLink href={paths.disclosure(toolId)}>What its maker says about it</TextLink>
      </p>
    )}
    <ButtonLink href={paths.dashboard} variant="secondary" className="mt-5">
      Go to your tools
    </ButtonLink>
  </Card>
);

type NoticeProps = { payer: NamedPayer; quote: Quote; toolName: string; subscriptions: readonly Subscription[] };

const PriceNotice = (props: NoticeProps) =>
  props.payer.teamId === null ? <BulkNotice {...props} /> : <TeamNotice {...props} />;

/** For advisers with other subscriptions: what this one does to the price of all of them. */
const BulkNotice = ({ payer, quote }: NoticeProps) => {
  const tiers = useApiQuery(contract.subscriptions.tiers).data;
  const forecast = useForecast(payer).data;
  if (!tiers || !forecast || forecast.paidTools.now === 0 || quote.totalCents === 0) return null;
  const discount = volumeDiscount(forecast, tiersOf(tiers), 1);
  if (discount.today === 0) return null;
  const count = forecast.paidTools.now + 1;
  const { nextTier, changes, code } = quote;
  const who = code
    ? 'Your other tools get it from their next bill; your discount code takes more off this one.'
    : changes.length > 0
      ? 'This tool gets it today, your others from their next bill.'
      : '';
  return (
    <div className="flex items-start gap-3 rounded border border-success/30 bg-success-subtle p-4">
      <BadgePercent aria-hidden className="mt-0.5 size-4 shrink-0 text-success" />
      <div className="figures min-w-0">
        <p className="font-medium">Bulk discount: {percentWords(discount, count)}</p>
        <p className="mt-0.5">
          <Text>
            {who}
            {nextTier &&
              ` With ${nextTier.toolCount} paid tools, each is ${nextTier.percent}% off: these ${count} then cost ${formatCents(nextTier.monthlySavingCents)} less a month.`}
          </Text>
        </p>
        <Others quote={quote} teamName={payer.teamName} />
      </div>
    </div>
  );
};

/** What this purchase does to the prices of the payer's other tools. */
const Others = ({ quote: { changes }, teamName }: { quote: Quote; teamName: string | null }) =>
  changes.length > 0 && (
    <ul className="mt-2 list-disc space-y-1 pl-5">
      <PriceChangeItems changes={changes} tools={otherTools(teamName)} />
    </ul>
  );

/** How a team is priced, and what becomes of the owner's own subscription to the same tool. */
const TeamNotice = ({ payer, quote, toolName, subscriptions }: NoticeProps) => {
  const own = subscriptions.some((sub) => sub.toolId === quote.toolId && sub.teamId === null && sub.hasAccess);
  return (
    <div className="flex items-start gap-3 rounded border border-info/30 bg-info-subtle p-4">
      <Users aria-hidden className="mt-0.5 size-4 shrink-0 text-info" />
      <div className="min-w-0">
        <p className="font-medium">
          <Text>Priced per member of {payer.teamName}</Text>
        </p>
        <p className="mt-0.5">
          When someone joins or leaves, their days of the running month are added to the next bill, or taken off it.
          With {teamDiscountMembers.min} to {teamDiscountMembers.max} members and {teamDiscountMinTools} tools or more,
          each tool costs {teamPercent}% less.
        </p>
        <Others quote={quote} teamName={payer.teamName} />
        {own && (
          <p className="mt-2">
            You subscribe to {toolName} yourself, too. Once your team has it, your dashboard offers to end yours at the
            end of its period.
          </p>
        )}
      </div>
    </div>
  );
};
