import type { Supplied } from '#shared/api/page-data.ts';
import { trialDays } from '#shared/rules/billing/trial-days.ts';
import { centsOf } from '#shared/rules/billing/money.ts';
import { formatSydneyDate } from '#shared/rules/dates.ts';
import type { Question } from '#shared/rules/record/disclosure.ts';
import type { ToolScope } from '#shared/rules/tools/tools.ts';
import type { OfferedTool } from '#client/features/site/landing-prices.ts';
import { ToolCost, ToolTextsView } from '#client/features/site/tool-texts.tsx';
import { ToolOutput } from '#client/features/site/tool-output.tsx';
import { useOffer, useSupplied, useToolTexts } from '#client/lib/money/visitors-catalogue.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { answered, answerRows, madeBy, suppliedBy } from '#client/lib/words/made-by.ts';
import { useTitle } from '#client/lib/pages/title.ts';
import { Button, BackLink, ButtonLink, Card } from '#client/ui/elements.tsx';
import { Facts } from '#client/ui/facts.tsx';
import { both, EmptyState, Loading, QueryView } from '#client/ui/query-view.tsx';
import { ToolIcon } from '#client/ui/tool-icon.tsx';

/** What a practice asks before all else. */
const askedFirst: readonly Question[] = ['dataLocation', 'retention', 'training', 'humanReview'];

const Answers = ({ supplied, scopes }: { supplied: Supplied; scopes: readonly ToolScope[] }) => {
  const { isOurs, version, madeAt, answers } = supplied;
  const made = madeBy({ isOurs, scopes, answers });
  const { given, missing } = answered(answers);
  const others = given.filter((question) => question !== 'maker' && !askedFirst.includes(question));
  const rows = answerRows(answers, [...askedFirst.filter((question) => given.includes(question)), ...others]);
  return (
    <Facts
      {...made}
      title="Supplier due diligence"
      rows={madeAt ? [...made.rows, ...rows, ...missing] : made.rows}
      shown={made.rows.length + askedFirst.length}
      more={
        madeAt
          ? suppliedBy(isOurs, version, formatSydneyDate(new Date(madeAt)))
          : 'The maker of this tool has not supplied anything yet.'
      }
    />
  );
};

const Page = ({ tool }: { tool: OfferedTool }) => {
  useTitle(tool.name);
  const query = both(useToolTexts(tool.id), useSupplied(tool.id));
  const buy = tool.comingSoon ? (
    <Button variant="secondary" size="lg" className="w-full" disabled>
      Coming Soon
    </Button>
  ) : (
    <ButtonLink href={paths.signUpFor(tool.id)} size="lg" className="w-full">
      {centsOf(tool.basePrice) > 0 ? `Start ${trialDays.individual}-Day Free Trial` : 'Create your account'}
    </ButtonLink>
  );
  return (
    <article data-tool={tool.icon} className="space-y-8">
      <header>
        <BackLink href={paths.home}>All tools and prices</BackLink>
        <div className="flex items-start gap-4">
          <ToolIcon icon={tool.icon} className="size-12!" />
          <div className="min-w-0">
            <h1 className="text-xl sm:text-2xl">{tool.name}</h1>
            <p className="mt-1 text-muted">{tool.description}</p>
          </div>
        </div>
      </header>
      <QueryView
        query={query}
        failedTitle="What it does could not be loaded"
        loading={<Loading label="Loading what it does" skeletons={['h-40', 'mt-6 h-60']} />}
      >
        {([texts, supplied]) => (
          <div className="grid items-start gap-x-10 gap-y-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
            <div className="max-lg:contents lg:sticky lg:space-y-6 lg:top-20 lg:col-start-2 lg:row-span-2 lg:row-start-1">
              <Card className="space-y-4 p-4 max-lg:order-1">
                {!tool.comingSoon && <ToolCost tool={tool} />}
                {buy}
              </Card>
              <ToolOutput
                tool={tool}
                caption="A sample of what you get, about a made-up client."
                className="max-lg:order-3 max-lg:max-w-[26rem]"
              />
            </div>
            <div className="space-y-6 max-lg:order-2">
              <ToolTextsView {...texts} as="h2" />
            </div>
            <div className="min-w-0 max-lg:order-4">
              <Answers supplied={supplied} scopes={texts.scopes} />
            </div>
          </div>
        )}
      </QueryView>
      <div className="lg:hidden">{buy}</div>
    </article>
  );
};

/** /tools/:toolId for visitors. */
export default function ToolPage({ params }: { params: Record<string, string> }) {
  return (
    <QueryView
      query={useOffer()}
      failedTitle="This tool could not be shown"
      framedFailure
      loading={<Loading label="Loading the tool" skeletons={['h-12 w-56', 'mt-6 h-80']} />}
    >
      {({ tools }) => {
        const tool = tools.find(({ id }) => id === params['toolId']);
        return tool ? (
          <Page tool={tool} />
        ) : (
          <EmptyState
            title="We couldn't find that tool."
            action={<ButtonLink href={paths.home}>All tools and prices</ButtonLink>}
          />
        );
      }}
    </QueryView>
  );
}
