import { ArrowRight } from 'lucide-react';
import type { PageData } from '#shared/api/page-data.ts';
import { brand } from '#shared/brand.ts';
import { centsOf, formatCentsShort } from '#shared/rules/money.ts';
import { presentationOf } from '#shared/rules/tools.ts';
import { paths } from '#client/lib/paths.ts';
import { useOffer } from '#client/lib/offer.ts';
import { useTitle } from '#client/lib/title.ts';
import { Badge } from '#client/ui/badge.tsx';
import { ButtonLink } from '#client/ui/button-link.tsx';
import { Card } from '#client/ui/card.tsx';
import { ErrorState } from '#client/ui/error-state.tsx';
import { Loading, Skeleton } from '#client/ui/skeleton.tsx';
import { ToolIcon } from '#client/ui/tool-icon.tsx';

const priceOf = (tool: PageData['tools'][number]) => {
  const cents = centsOf(tool.basePrice);
  return cents === 0 ? (
    <span className="text-sm text-muted">Free with any other subscription</span>
  ) : (
    <>
      <span className="figures text-lg font-semibold">{formatCentsShort(cents)}</span>
      <span className="text-sm text-muted"> per month</span>
    </>
  );
};

const ToolCard = ({ tool }: { tool: PageData['tools'][number] }) => (
  <Card className="flex h-full flex-col p-5">
    <div className="flex items-start justify-between gap-3">
      <ToolIcon toolId={tool.id} icon={presentationOf(tool.id)?.icon} />
      {tool.comingSoon && <Badge>Coming soon</Badge>}
    </div>
    <h3 className="mt-4 text-base">{tool.name}</h3>
    <p className="mt-1 flex-1 text-sm text-muted">{tool.description}</p>
    {!tool.comingSoon && <p className="mt-4">{priceOf(tool)}</p>}
  </Card>
);

const grid = 'mt-6 grid gap-4 sm:grid-cols-2 lg:grid-cols-4';

const Tools = () => {
  const { data, error, refetch, isFetching } = useOffer();
  if (data) {
    return (
      <ul className={grid}>
        {data.tools.map((tool) => (
          <li key={tool.id}>
            <ToolCard tool={tool} />
          </li>
        ))}
      </ul>
    );
  }
  if (error) {
    return (
      <ErrorState
        title="The tools could not be loaded"
        message={error.sentence}
        requestId={error.requestId}
        onRetry={refetch}
        retrying={isFetching}
      />
    );
  }
  return (
    <Loading label="Loading tools" className={grid}>
      {Array.from({ length: 8 }, (_, index) => (
        <Skeleton key={index} className="h-48" />
      ))}
    </Loading>
  );
};

/** The signed-out home: what it is, what it costs, and how to begin. */
export default function LandingPage() {
  useTitle();
  return (
    <>
      <section className="mx-auto max-w-prose py-8 text-center sm:py-14">
        <p className="text-sm font-medium text-primary">{brand.tagline}</p>
        <h1 className="mt-3 text-2xl sm:text-3xl">Less paperwork. More advice.</h1>
        <p className="mt-4 text-muted">
          {brand.name} is a set of individually priced AI tools for Australian financial advisers: subscribe to the ones
          your practice needs, and open each in its own window.
        </p>
        <div className="mt-8 flex flex-wrap justify-center gap-3">
          <ButtonLink href={paths.signUp} size="lg">
            Start 30-Day Free Trial
            <ArrowRight aria-hidden />
          </ButtonLink>
          <ButtonLink href={paths.auth} size="lg" variant="secondary">
            Sign In
          </ButtonLink>
        </div>
        <p className="mt-4 text-sm text-muted">No Credit Card Required</p>
      </section>
      <section aria-labelledby="tools" className="pb-12">
        <h2 id="tools" className="text-xl">
          Tools and prices
        </h2>
        <p className="mt-1 text-sm text-muted">In Australian dollars, GST included. Each tool on its own, no bundle.</p>
        <Tools />
      </section>
    </>
  );
}
