import { ChartNoAxesColumn, FlaskConical, LayoutGrid, ReceiptText } from 'lucide-react';
import { brand, seller } from '#shared/brand.ts';
import { erasureDays } from '#shared/rules/tools/tools.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { shareOf, usualSharePercent } from '#shared/rules/tools/publication.ts';
import { Points, SectionsPage, Tiles } from '#client/features/site/sections-page.tsx';
import { paths, signUpFor } from '#client/lib/pages/paths.ts';
import { makerSteps } from '#client/lib/words/maker-steps.ts';
import { ButtonLink, TextLink } from '#client/ui/elements.tsx';
import { Steps } from '#client/ui/steps.tsx';

/** A month of a made-up tool. */
const example = { advisers: 20, cents: 4000 };
const paid = example.advisers * example.cents;

const Begin = ({ primary = false }) => (
  <ButtonLink href={signUpFor(paths.developers())} size="lg" variant={primary ? 'primary' : 'secondary'}>
    Create a maker account
  </ButtonLink>
);

const Hero = () => (
  <div className="mt-6 grid items-center gap-x-12 gap-y-6 rounded border border-primary bg-primary-subtle p-5 sm:p-8 lg:grid-cols-[minmax(0,1fr)_24rem]">
    <div>
      <p className="text-xl font-semibold tracking-tight">{`Keep ${usualSharePercent}% of what advisers pay`}</p>
      <p className="mt-2 text-base text-pretty">
        This is our usual share, after refunds. We bill advisers and pay you each month.
      </p>
      <div className="mt-5">
        <Begin primary />
      </div>
    </div>
    <div className="rounded border bg-surface px-5 py-2">
      <dl className="figures divide-y">
        {(
          [
            [`${example.advisers} advisers at ${formatCents(example.cents)} a month`, formatCents(paid)],
            ['Your share', formatCents(shareOf(paid, usualSharePercent))],
          ] as const
        ).map(([term, sum]) => (
          <div key={term} className="flex justify-between gap-4 py-3 last:font-semibold">
            <dt>{term}</dt>
            <dd>{sum}</dd>
          </div>
        ))}
      </dl>
      <p className="pb-2 text-xs text-muted">An example. GST is included; discounts and refunds are not.</p>
    </div>
  </div>
);

const tiles = [
  [LayoutGrid, 'In the catalogue', 'Your tool stands beside ours. Advisers open it already signed in.', '#advisers'],
  [ReceiptText, 'On one bill', 'Advisers pay for all their tools once a month. We send the tax invoices.', '#price'],
  [ChartNoAxesColumn, 'To the cent', 'You see what was paid for your tool each month, and your share of it.', '#price'],
  [FlaskConical, 'Tested at once', 'You try your tool with a test adviser within minutes.', '#steps'],
] as const;

const Begins = () => (
  <>
    <Steps steps={makerSteps} as="h3" />
    <p className="pt-3">
      Read the <TextLink href="/api/docs/guide">guide</TextLink> and the <TextLink href="/api/docs">reference</TextLink>{' '}
      first, or <TextLink href={`${paths.auth}?returnTo=${encodeURIComponent(paths.developers())}`}>sign in</TextLink>.
    </p>
  </>
);

/** When the product changes, this page changes with it. */
const sections = [
  { id: 'steps', title: 'Four steps to the catalogue', wide: true, body: <Begins /> },
  {
    id: 'price',
    title: 'Price, share and payout',
    wide: true,
    body: (
      <Points
        points={[
          'You propose what an adviser pays a month, GST included. We accept it or write to you. To change a price, you propose a new one. Subscribers get at least 30 days’ notice of a higher price.',
          'Your share is part of what was paid for your tool, after refunds. Discounts and free trials lower what is paid. If we agree on another share, your tool’s page shows it.',
          'Your tool’s page shows how many subscribe and, for each month, what was paid, what was refunded and what is due to you.',
          'We collect from advisers and handle their refunds. We pay you what is due by bank transfer after the month has ended. You send us an invoice for it.',
        ]}
      />
    ),
  },
  {
    id: 'advisers',
    title: 'What advisers see',
    wide: true,
    body: (
      <Points
        points={[
          'Before they subscribe, advisers read who makes your tool, which of their details it gets, and where you keep data.',
          'Your answers for supplier due diligence have a page of their own, with every version. Practices read it before they allow a tool.',
          'You answer advisers’ questions about your tool. We answer questions about accounts, payments and access.',
        ]}
      />
    ),
  },
  {
    id: 'terms',
    title: 'Terms for makers',
    folded: true,
    body: (
      <Points
        points={[
          'You use what you learn about advisers and their clients only to run the tool. You don’t sell it, advertise with it or pass it on, unless your due diligence says so.',
          'You follow the Australian Privacy Principles. You tell us and the advisers concerned of a data breach without delay.',
          `When we ask you to erase a person, you do so and confirm it within ${erasureDays} days.`,
          'The tool stays yours. You are responsible for what it does and says; it doesn’t give financial advice in place of the adviser.',
          'You may stop selling at any time. We may close a tool to new subscribers, and say why. Those who paid keep it for the time they paid for.',
        ]}
      />
    ),
  },
  {
    id: 'contact',
    title: 'Questions',
    body: (
      <>
        <p>
          Write to <TextLink href={`mailto:${seller().supportEmail}`}>{seller().supportEmail}</TextLink>.
        </p>
        <p>
          <Begin />
        </p>
      </>
    ),
  },
] as const;

/** /developers, for visitors. */
export default function MakersPage() {
  return (
    <SectionsPage
      title="Sell your tool to advisers"
      lead={`Financial advisers in Australia open tools from ${brand.name}, already signed in. Here is what a maker gets, and what we ask.`}
      summary={[<Hero key="offer" />, <Tiles key="tiles" tiles={tiles} />]}
      sections={sections}
    />
  );
}
