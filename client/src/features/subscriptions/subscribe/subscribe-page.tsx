import { Info } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { contract } from '#shared/api/members.ts';
import { purchaseRefusals } from '#shared/api/purchase-refusals.ts';
import { OwedBy } from '#client/features/billing/payment-banner.tsx';
import { usePurchaseOutcome } from '#client/features/subscriptions/purchase-outcome.ts';
import { Checkout } from '#client/features/subscriptions/subscribe/checkout.tsx';
import { type Refusal, refusalOf } from '#client/features/subscriptions/subscribe/eligibility.ts';
import {
  type NamedPayer,
  PayerChoice,
  usePayerChoice,
} from '#client/features/subscriptions/subscribe/payer-choice.tsx';
import { PriceNotice } from '#client/features/subscriptions/subscribe/price-notice.tsx';
import { PurchaseError, purchaseFailure } from '#client/features/subscriptions/subscribe/purchase-error.tsx';
import { ToolDetails } from '#client/features/subscriptions/subscribe/tool-details.tsx';
import { BackToDashboard, columns } from '#client/features/subscriptions/subscribe/tool-heading.tsx';
import { WinBackOffers } from '#client/features/subscriptions/win-back-offers.tsx';
import { businessNow } from '#client/lib/words/business-time.ts';
import { useForecast } from '#client/lib/money/forecast.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { chosenTool } from '#client/lib/pages/chosen-tool.ts';
import { useApiQuery } from '#client/lib/calls/query.ts';
import { useTitle } from '#client/lib/pages/title.ts';
import { ButtonLink } from '#client/ui/button.tsx';
import { TextLink } from '#client/ui/link.tsx';
import { Card } from '#client/ui/card.tsx';
import { Loading, Skeleton } from '#client/ui/query-view.tsx';
import { payerArgs } from '#client/lib/money/payer.ts';

/** In the shape of the page to come. */
const ToolLoading = () => (
  <Loading label="Loading tool information..." skeletons={['mb-4 h-8 w-40']}>
    <div className="flex flex-col gap-6 lg:grid lg:grid-cols-[minmax(0,1fr)_24rem] lg:gap-12">
      <div className="space-y-6">
        <Skeleton className="h-24" />
        <Skeleton className="h-64" />
      </div>
      <Skeleton className="h-96" />
    </div>
  </Loading>
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
        <TextLink href={paths.disclosure(toolId)}>What its maker says of it</TextLink>
      </p>
    )}
    <ButtonLink href={paths.dashboard} variant="secondary" className="mt-5">
      Go to your tools
    </ButtonLink>
  </Card>
);
