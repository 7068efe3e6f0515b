import { brand, seller } from '#shared/brand.ts';
import { formatAbn } from '#shared/rules/australia.ts';
import { practiceSees } from '#shared/rules/people/data-map.ts';
import { trialDays, trialEnds, trialGoesOn } from '#shared/rules/billing/trial-days.ts';
import { InShort, Points, SectionsPage } from '#client/features/site/sections-page.tsx';
import { paths } from '#client/lib/pages/paths.ts';
import { TextLink } from '#client/ui/elements.tsx';

/** Update this whenever the text changes. */
const lastUpdated = '29 November 2026';

/** When the product changes, these terms change with it. Have a lawyer read them before you rely on them. */
const sections = [
  {
    id: 'who',
    title: 'Who these terms are between',
    body: (
      <p>
        {brand.name} is run by {seller().name}, ABN{' '}
        <span className="figures whitespace-nowrap">{formatAbn(seller().abn)}</span> (“we”). “You” are the adviser who
        creates the account, or the practice you act for. By creating an account you accept these terms and our{' '}
        <TextLink href={paths.privacy}>privacy policy</TextLink>.
      </p>
    ),
  },
  {
    id: 'account',
    title: 'Your account',
    body: (
      <Points
        points={[
          'An account is for one person. Please don’t share your password or let somebody else use your session.',
          'Give us correct details and keep them up to date. They go on your tax invoices.',
          'Tell us straight away if you think someone else has been in your account.',
        ]}
      />
    ),
  },
  {
    id: 'trials',
    title: 'Trials and subscriptions',
    body: (
      <Points
        points={[
          'You subscribe to each tool on its own, month by month. There is no bundle and no minimum term.',
          `You can try each tool once, free for ${trialDays.individual} days, or ${trialDays.team} days for a team. ${trialEnds} ${trialGoesOn}`,
          'A paid subscription renews each month until you cancel it or turn auto-renew off. Unless you switch reminders off, we email you before it renews.',
        ]}
      />
    ),
  },
  {
    id: 'price',
    title: 'Prices and payment',
    body: (
      <Points
        points={[
          'Prices are in Australian dollars and include GST. You see the price, each discount, what is charged today and what your next bill is before you pay.',
          'All your tools are on one bill a month. When you add a tool, you pay for the days until that bill.',
          'Some discounts depend on how many tools or team members you have. When that number changes, so does the price, and we write to you.',
          'Payments go through Stripe, and your card number never reaches us. Every payment has its tax invoice.',
          'If a payment fails, you keep access for 7 days to put it right. After that your tools end, and nothing is owed.',
        ]}
      />
    ),
  },
  {
    id: 'cancelling',
    title: 'Cancelling and refunds',
    body: (
      <>
        <Points
          points={[
            'Cancel yourself, at any time. You keep the tool to the end of the time you’ve paid for, or end it straight away.',
            'We don’t refund days left over when you end a subscription early.',
            'Closing your account ends all your subscriptions. We then charge for days you have used but not paid for.',
          ]}
        />
        <p>Nothing in these terms takes away rights that the Australian Consumer Law gives you.</p>
      </>
    ),
  },
  {
    id: 'use',
    title: 'Using the tools',
    body: (
      <Points
        points={[
          'The tools prepare documents, searches and scores. They don’t give financial advice. You decide, and you stay responsible for the advice you give.',
          'Read what a tool writes before it goes to a client or onto a file.',
          'Make sure you are allowed to use the client information you put into a tool.',
          'Don’t resell the tools, overload them, or try to reach what belongs to other people.',
        ]}
      />
    ),
  },
  {
    id: 'makers',
    title: 'Tools of other makers',
    body: (
      <Points
        points={[
          'Some tools are made by other companies. The page on which you subscribe says who makes a tool, which of your details it gets, and where data is kept.',
          'We sell and bill such a tool, and check how it signs you in. Its maker provides it, supports it and is responsible for the data you give it.',
          'What we say about security and hosting holds for our own service and tools, not for theirs.',
          'If a maker stops, we don’t charge you for the tool any longer, and ask the maker to erase what they hold about you when you close your account.',
        ]}
      />
    ),
  },
  {
    id: 'teams',
    title: 'Teams',
    body: (
      <Points
        points={[
          'The owner of a team pays for its tools, for each member. Owner and admins can add and remove members.',
          ...practiceSees,
          'When you leave a team or it closes, you lose its tools. Your own subscriptions continue.',
        ]}
      />
    ),
  },
  {
    id: 'service',
    title: 'What we can and can’t promise',
    body: (
      <Points
        points={[
          'We work to keep the tools available and right, but can’t promise that they always will be.',
          'If we stop offering a tool, we don’t charge you for it any longer.',
          'If you break these terms in a way that harms others, we may close your access. We tell you why.',
        ]}
      />
    ),
  },
  {
    id: 'contact',
    title: 'Changes and contact',
    body: (
      <p>
        When these terms change, the date above changes too, and we write to you before a change that matters to you.
        Questions? Write to <TextLink href={`mailto:${seller().supportEmail}`}>{seller().supportEmail}</TextLink>.
      </p>
    ),
  },
] as const;

/** /terms, for everybody. */
export default function TermsPage() {
  return (
    <SectionsPage
      title="Terms of Service"
      lead={`Last updated ${lastUpdated}`}
      summary={
        <InShort
          points={[
            `Each tool is free for ${trialDays.individual} days, without a card.`,
            'You pay for your tools month by month, on one bill.',
            'You cancel yourself, at any time, and keep the time you’ve paid for.',
            'You stay responsible for the advice you give.',
          ]}
        />
      }
      numbered
      sections={sections}
    />
  );
}
