import { Check, ShieldCheck, Sparkles } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Reply } from '#shared/api/endpoint.ts';
import { contract } from '#shared/api/members.ts';
import type { Tool } from '#shared/api/tools.ts';
import { brand } from '#shared/brand.ts';
import type { Disclosure } from '#shared/rules/record/disclosure.ts';
import { claimsAt } from '#shared/rules/claims.ts';
import { ToolHeading } from '#client/features/subscriptions/subscribe/tool-heading.tsx';
import { claimsMade } from '#client/lib/session/claims.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { useApiQuery } from '#client/lib/calls/use-api.ts';
import { AppLink, Card, TextLink } from '#client/ui/elements.tsx';
import { Facts } from '#client/ui/facts.tsx';
import { answered, answerRows, madeBy } from '#client/lib/words/made-by.ts';
import { Loading } from '#client/ui/query-view.tsx';

const claims = claimsAt('benefit', claimsMade());
const afterwards = [
  ['Start straight away', 'From your dashboard, in its own window, already signed in.'],
  ['No surprise charges', 'One bill a month for all your tools. If it goes up, we tell you first.'],
  ['Cancel any time', 'Cancel yourself, and keep the tool for the time you have paid for.'],
] as const;

/** What is said here of its maker's answers, without questions that nobody answered. */
const answeredOf = (answers: Disclosure) =>
  answered(answers).given.filter((question) => question === 'dataLocation' || question === 'training');

/** On a narrow screen `contents` dissolves the column, so that the page can put the checkout before the features. */
export const ToolDetails = ({ tool, notice }: { tool: Tool; notice: ReactNode }) => {
  const { data: texts, isPending } = useApiQuery(contract.tools.texts, { params: { toolId: tool.id } });
  const { data: disclosure } = useApiQuery(contract.record.disclosure, { params: { toolId: tool.id }, query: {} });
  return (
    <div data-tool={tool.icon} className="flex min-w-0 flex-col gap-6 max-lg:contents">
      <ToolHeading tool={tool} />
      {notice}
      {isPending && <Loading label="Loading what it does" className="max-lg:order-1" skeletons={['h-56']} />}
      {texts && <Texts {...texts} />}
      {disclosure && (
        <div className="max-lg:order-1">
          <Facts
            {...madeBy(disclosure)}
            rows={[...madeBy(disclosure).rows, ...answerRows(disclosure.answers, answeredOf(disclosure.answers))]}
            more={<TextLink href={paths.disclosure(tool.id)}>Everything its maker says about it</TextLink>}
          />
        </div>
      )}
      <section aria-labelledby="afterwards" className="max-lg:order-1">
        <h2 id="afterwards" className="text-base">
          What happens next
        </h2>
        <ol className="mt-4 grid gap-5 sm:grid-cols-3">
          {afterwards.map(([title, text], index) => (
            <li key={title} className="flex gap-3 sm:flex-col sm:gap-2">
              <span
                aria-hidden
                className="figures flex size-7 shrink-0 items-center justify-center rounded-full bg-primary-subtle text-xs font-semibold text-primary"
              >
                {index + 1}
              </span>
              <div>
                <h3 className="text-sm">{title}</h3>
                <p className="mt-0.5 text-muted">{text}</p>
              </div>
            </li>
          ))}
        </ol>
      </section>
      {disclosure?.isOurs && claims.length > 0 && (
        <ul aria-label={`Why ${brand.name}`} className="flex flex-wrap gap-x-6 gap-y-2 text-muted max-lg:order-1">
          {claims.map(({ text, about }) => (
            <li key={text} className="flex items-center gap-2">
              <ShieldCheck aria-hidden className="size-4 shrink-0 text-success" />
              <AppLink href={paths.claim(about)} target="_blank" className="py-1 hover:underline max-sm:py-3">
                {text}
              </AppLink>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
};

/** What the tool says of itself; the page works without it. */
const Texts = ({ about, audience, features, benefits }: Reply<typeof contract.tools.texts>) => {
  if (!about && !audience && features.length === 0 && benefits.length === 0) return null;
  return (
    <Card className="flex flex-col divide-y max-lg:order-1 [&>*]:p-5">
      {(about || audience) && (
        <section aria-label="About this tool" className="space-y-2 [overflow-wrap:anywhere] whitespace-pre-line">
          {about && <p>{about}</p>}
          {audience && <p className="text-muted">For: {audience}</p>}
        </section>
      )}
      {features.length > 0 && (
        <Points id="features" title="What it does" items={features} icon={<Check aria-hidden />} />
      )}
      {benefits.length > 0 && (
        <Points id="benefits" title="What you gain" items={benefits} icon={<Sparkles aria-hidden />} />
      )}
    </Card>
  );
};

type PointsProps = { id: string; title: string; items: readonly string[]; icon: ReactNode };

const Points = ({ id, title, items, icon }: PointsProps) => (
  <section aria-labelledby={id}>
    <h2 id={id} className="text-base">
      {title}
    </h2>
    <ul className="mt-3 grid gap-x-6 gap-y-3 sm:grid-cols-2">
      {items.map((item) => (
        <li key={item} className="flex items-start gap-2.5">
          <span className="mt-px flex size-5 shrink-0 items-center justify-center rounded-full bg-success-subtle text-success [&_svg]:size-3">
            {icon}
          </span>
          {item}
        </li>
      ))}
    </ul>
  </section>
);
