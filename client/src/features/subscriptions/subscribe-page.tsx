import { ArrowLeft, Info } from 'lucide-react';
import type { ReactNode } from 'react';
import { contract } from '#shared/api/index.ts';
import { errors } from '#shared/api/errors.ts';
import { BulkNotice } from '#client/features/subscriptions/bulk-notice.tsx';
import { type Buyer, useBuyer } from '#client/features/subscriptions/buyer.ts';
import { BuyerChoice } from '#client/features/subscriptions/buyer-choice.tsx';
import { payerOf } from '#client/features/subscriptions/change.ts';
import { Checkout } from '#client/features/subscriptions/checkout.tsx';
import { type Refusal, refusalOf } from '#client/features/subscriptions/eligibility.ts';
import { initFailure } from '#client/features/subscriptions/init-failure.ts';
import { SubscriptionError } from '#client/features/subscriptions/subscription-error.tsx';
import { TeamNotice } from '#client/features/subscriptions/team-notice.tsx';
import { ToolDetails } from '#client/features/subscriptions/tool-details.tsx';
import { useFinish } from '#client/features/subscriptions/use-finish.ts';
import { businessNow } from '#client/lib/business-time.ts';
import { paths } from '#client/lib/paths.ts';
import { useApiQuery } from '#client/lib/query-client.ts';
import { useTitle } from '#client/lib/title.ts';
import { ButtonLink } from '#client/ui/button-link.tsx';
import { Card } from '#client/ui/card.tsx';
import { PageSpinner } from '#client/ui/page-spinner.tsx';

/** `/subscribe/{toolId}` (B §2, §4). */
export default function SubscribePage({ params }: { params: Record<string, string> }) {
  const toolId = params.toolId ?? '';
  const { buyer, choices, choose } = useBuyer();
  if (!buyer) return <PageSpinner label="Loading tool information..." />;
  return (
    <Subscribe
      key={`${toolId}:${buyer.teamId ?? ''}`}
      toolId={toolId}
      buyer={buyer}
      choice={<BuyerChoice buyer={buyer} choices={choices} onChoose={choose} />}
    />
  );
}

type Props = { toolId: string; buyer: Buyer; choice: ReactNode };

const Subscribe = ({ toolId, buyer, choice }: Props) => {
  const { teamId } = buyer;
  const tools = useApiQuery(contract.tools.list);
  const subscriptions = useApiQuery(contract.subscriptions.list);
  const tool = tools.data?.find(({ id, isActive }) => id === toolId && isActive);
  const { outcome, finish } = useFinish(toolId, teamId);
  // The purchase just made is no reason to refuse it.
  const refusal =
    tool && subscriptions.data && !outcome ? refusalOf(tool, subscriptions.data, businessNow(), teamId) : null;
  const wanted = tool !== undefined && subscriptions.data !== undefined && !refusal;
  const quote = useApiQuery(
    contract.subscriptions.quote,
    { query: { toolId, ...payerOf(buyer) } },
    { enabled: wanted },
  );
  useTitle(tool ? `Subscribe to ${tool.name}` : 'Subscribe');

  const error = tools.error ?? subscriptions.error ?? quote.error;
  if (error && !outcome) return <SubscriptionError sentence={initFailure(error)} requestId={error.requestId} />;
  if (!tools.data || !subscriptions.data) return <PageSpinner label="Loading tool information..." />;
  if (!tool) return <SubscriptionError sentence={errors.tool_not_found[1]} />;
  if (!refusal && !quote.data) return <PageSpinner label="Loading tool information..." />;

  return (
    <>
      <ButtonLink href={paths.dashboard} variant="ghost" size="sm" className="mb-4 -ml-3 text-muted">
        <ArrowLeft aria-hidden />
        Back to Dashboard
      </ButtonLink>
      <div className="flex flex-col gap-6 lg:grid lg:grid-cols-[minmax(0,1fr)_24rem] lg:items-start lg:gap-12">
        <ToolDetails
          tool={tool}
          notice={
            quote.data &&
            !refusal &&
            !outcome &&
            (teamId === null ? (
              <BulkNotice quote={quote.data} subscriptions={subscriptions.data} />
            ) : (
              <TeamNotice buyer={buyer} quote={quote.data} toolName={tool.name} subscriptions={subscriptions.data} />
            ))
          }
        />
        <div className="lg:sticky lg:top-20">
          {!outcome && choice}
          {refusal ? (
            <Refused refusal={refusal} />
          ) : (
            quote.data && <Checkout tool={tool} buyer={buyer} quote={quote.data} outcome={outcome} onDone={finish} />
          )}
        </div>
      </div>
    </>
  );
};

const Refused = ({ refusal: { title, sentence, detail } }: { refusal: Refusal }): ReactNode => (
  <Card className="flex flex-col items-center p-6 text-center">
    <Info aria-hidden className="size-6 text-info" />
    <h2 className="mt-3 text-base">{title}</h2>
    <p className="mt-1 text-muted">{sentence}</p>
    {detail && <p className="mt-1 text-muted">{detail}</p>}
    <ButtonLink href={paths.dashboard} variant="secondary" className="mt-5">
      Go to your tools
    </ButtonLink>
  </Card>
);
