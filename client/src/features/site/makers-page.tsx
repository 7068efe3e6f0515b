import { brand, seller } from '#shared/brand.ts';
import { neededQuestions } from '#shared/rules/record/disclosure.ts';
import { erasureDays } from '#shared/rules/tools/tools.ts';
import { usualSharePercent } from '#shared/rules/tools/publication.ts';
import { Points, SectionsPage } from '#client/features/site/sections-page.tsx';
import { paths, signUpFor } from '#client/lib/pages/paths.ts';
import { ButtonLink, TextLink } from '#client/ui/elements.tsx';

const Gets = () => (
  <>
    <p>
      {`Your share is usually ${usualSharePercent}% of what advisers pay for your tool, less refunds. We bill them and handle refunds. Advisers find your tool in the catalogue, and open it already signed in.`}
    </p>
    <p>Registering a tool takes a minute. You get its id, its secrets and a made-up adviser to try it with.</p>
    <p>
      <ButtonLink href={signUpFor(paths.developers())}>Create a maker’s account</ButtonLink>
    </p>
    <p>
      Read the <TextLink href="/api/docs/guide">guide</TextLink> and the <TextLink href="/api/docs">reference</TextLink>{' '}
      first, or <TextLink href={`${paths.auth}?returnTo=${encodeURIComponent(paths.developers())}`}>sign in</TextLink>.
    </p>
  </>
);

/** When the product changes, this page changes with it. */
const sections = [
  { id: 'begin', title: 'What you get', body: <Gets /> },
  {
    id: 'price',
    title: 'Price, share and payout',
    body: (
      <Points
        points={[
          'You propose what an adviser pays a month, GST included. We accept it or write to you. It changes in the same way: subscribers get at least 30 days’ notice of a higher price.',
          `Your share is ${usualSharePercent}% of what was paid for your tool, less what was refunded, unless we agree on another. The share is recorded with the price. Discounts lower what is paid, and so does a free trial.`,
          'Your tool’s page shows how many subscribe and, for each month, what was paid, what was refunded and what is due to you, to the cent.',
          'We collect from advisers, send their tax invoices and handle their refunds. We pay you what is due by bank transfer after the month has ended. You send us an invoice for it.',
        ]}
      />
    ),
  },
  {
    id: 'advisers',
    title: 'What advisers see',
    body: (
      <Points
        points={[
          'Your tool stands in the catalogue beside ours. Before they subscribe, advisers read who makes it, which of their details it gets, and where you keep data.',
          'Your answers for supplier due diligence have a page of their own, with every version. Practices read it before they allow a tool.',
          'Advisers open your tool signed in, and pay for all their tools on one bill a month.',
          'You answer advisers’ questions about your tool. We answer questions about accounts, payments and access.',
        ]}
      />
    ),
  },
  {
    id: 'publication',
    title: 'What publication needs',
    body: (
      <Points
        points={[
          'A check that finds nothing wrong with this version at this address. It runs from your tool’s page and takes at most four minutes.',
          `Answers to ${neededQuestions.length} questions about you and the tool, such as where data is kept, who else gets it, whether inputs train a model, and how soon you tell of an incident.`,
          'An https:// address that answers, and a name that nobody takes for another tool’s.',
          'A price that you propose.',
        ]}
      />
    ),
  },
  {
    id: 'time',
    title: 'How long it takes',
    body: (
      <Points
        points={[
          'To try your tool with made-up advisers: minutes.',
          'To be published: one of us opens your tool and answers within five working days of your request. We say what is missing.',
        ]}
      />
    ),
  },
  {
    id: 'terms',
    title: 'Terms for makers',
    body: (
      <Points
        points={[
          'What you learn of advisers and their clients is for the tool alone. You don’t sell it, advertise with it or pass it on, unless your due diligence says so.',
          'You keep to the Australian Privacy Principles. You tell us and the advisers concerned of a data breach without delay.',
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
      <p>
        Write to <TextLink href={`mailto:${seller().supportEmail}`}>{seller().supportEmail}</TextLink>.
      </p>
    ),
  },
] as const;

/** /developers, for visitors. */
export default function MakersPage() {
  return (
    <SectionsPage
      title="Sell your tool to advisers"
      lead={`Financial advisers in Australia open tools from ${brand.name}, already signed in. Here is what a maker gets, and what we ask.`}
      sections={sections}
    />
  );
}
