import { clsx } from 'clsx';
import { ChevronDown, SearchX } from 'lucide-react';
import { centsOf, formatCentsShort } from '#shared/rules/billing/money.ts';
import { searchable } from '#shared/rules/text.ts';
import { findQuestions, type Question } from '#client/features/site/help-questions.ts';
import { useOffer } from '#client/lib/money/visitors-catalogue.ts';
import { useUser } from '#client/lib/session/session.ts';
import { Button, Card, TextLink } from '#client/ui/elements.tsx';
import { EmptyState, Loading, type Query, QueryView } from '#client/ui/query-view.tsx';

type Row = { id: string; label: string; value: string };
type ListProps<T> = { query: Query<T>; rowsOf: (data: T) => Row[] };

const List = <T,>({ query, rowsOf }: ListProps<T>) => (
  <QueryView query={query} loading={<Loading label="Loading" className="max-w-form" skeletons={['h-40']} />}>
    {(data) => (
      <dl className="max-w-form divide-y rounded border">
        {rowsOf(data).map(({ id, label, value }) => (
          <div key={id} className="flex justify-between gap-4 px-3 py-2">
            <dt className="shrink-0">{label}</dt>
            <dd className="figures text-right font-medium">{value}</dd>
          </div>
        ))}
      </dl>
    )}
  </QueryView>
);

/** Prices come from the server; the texts contain none. */
const Prices = () => (
  <List
    query={useOffer()}
    rowsOf={({ tools }) =>
      tools.map(({ id, name, basePrice, comingSoon }) => {
        const cents = centsOf(basePrice);
        const price = cents === 0 ? 'Free with any other subscription' : `${formatCentsShort(cents)} per month`;
        return { id, label: name, value: comingSoon ? 'Coming soon' : price };
      })
    }
  />
);

const Tiers = () => (
  <List
    query={useOffer()}
    rowsOf={({ tiers }) =>
      tiers
        .toSorted((a, b) => a.toolCount - b.toolCount)
        .map(({ toolCount, discountPercent }) => ({
          id: String(toolCount),
          label: `${toolCount} paid tools or more`,
          value: `${Number(discountPercent)}% off each`,
        }))
    }
  />
);

const lists = { prices: Prices, tiers: Tiers };

const Answer = ({ answer, list, link }: Question) => {
  const { user } = useUser();
  const List = list && lists[list];
  return (
    <div className="space-y-3 px-4 pb-4 text-sm text-muted">
      {answer.map((paragraph) => (
        <p key={paragraph} className="max-w-prose">
          {paragraph}
        </p>
      ))}
      {List && <List />}
      {link && (!link.member || user?.profileCompleted) && (
        <p>
          <TextLink href={link.href}>{link.label}</TextLink>
        </p>
      )}
    </div>
  );
};

type Props = { search: string; onClear: () => void };

/** Questions by category, the first one open. During a search, those that match only in the answer are open. */
export const HelpFaq = ({ search, onClear }: Props) => {
  const found = findQuestions(search);
  const searching = search.trim() !== '';
  const count = found.reduce((sum, { questions }) => sum + questions.length, 0);
  const inQuestion = (question: string) => searchable(question).includes(searchable(search));
  return (
    <>
      <p role="status" className={searching && count > 0 ? 'mb-4 text-sm text-muted' : 'sr-only'}>
        {searching && (count === 0 ? 'No results found' : `${count} ${count === 1 ? 'question' : 'questions'} found`)}
      </p>
      {count === 0 && (
        <EmptyState
          icon={<SearchX />}
          title="No results found"
          description="Try fewer or other words, or write to us on the Support tab."
          action={
            <Button variant="secondary" onClick={onClear}>
              Clear Search
            </Button>
          }
        />
      )}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-6 gap-y-8 lg:grid-cols-2">
        {found.map(({ title, questions }, category) => (
          <section key={title} aria-label={title} className={clsx(questions.length > 6 && 'lg:row-span-2')}>
            <h2 className="mb-3 text-base">{title}</h2>
            <Card className="divide-y">
              {questions.map((each, place) => (
                <details
                  key={`${each.question}${searching}`}
                  open={searching ? !inQuestion(each.question) : category + place === 0}
                  className="group"
                >
                  <summary className="flex cursor-pointer list-none items-center justify-between gap-4 rounded px-4 py-3 text-sm font-medium hover:bg-surface-subtle focus-visible:-outline-offset-2 [&::-webkit-details-marker]:hidden">
                    <h3 className="font-medium tracking-normal text-pretty">{each.question}</h3>
                    <ChevronDown
                      aria-hidden
                      className="size-4 shrink-0 text-muted transition-transform group-open:rotate-180"
                    />
                  </summary>
                  <Answer {...each} />
                </details>
              ))}
            </Card>
          </section>
        ))}
      </div>
    </>
  );
};
