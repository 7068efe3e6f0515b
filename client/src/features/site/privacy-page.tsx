import { ChevronDown } from 'lucide-react';
import { Fragment } from 'react';
import { brand, seller } from '#shared/brand.ts';
import { formatAbn } from '#shared/rules/australia.ts';
import { automatedDecisions, dataGroups, seenSentence, sentence } from '#shared/rules/people/data-map.ts';
import { providerSentence } from '#shared/rules/people/providers.ts';
import { inputGoes } from '#shared/rules/record/kept.ts';
import { InShort, Points, SectionsPage } from '#client/features/site/sections-page.tsx';
import { paths } from '#client/lib/pages/paths.ts';
import { Card, TextLink } from '#client/ui/elements.tsx';
import { claimSentences, providersNamed } from '#client/lib/session/claims.ts';

/** Update this whenever the text changes. */
const lastUpdated = '29 November 2026';
const commissioner = 'https://www.oaic.gov.au/privacy/privacy-complaints';

const Contact = () => (
  <>
    <p>
      For questions, requests and complaints about privacy, write to{' '}
      <TextLink href={`mailto:${seller().privacyEmail}`}>{seller().privacyEmail}</TextLink>; anything else at{' '}
      <TextLink href={`mailto:${seller().supportEmail}`}>{seller().supportEmail}</TextLink>. We are {seller().name}, ABN{' '}
      <span className="figures whitespace-nowrap">{formatAbn(seller().abn)}</span>, {seller().address}.
    </p>
    <p>
      If our answer doesn&apos;t satisfy you, the privacy commissioner at the{' '}
      <TextLink href={commissioner} target="_blank" rel="noreferrer">
        Office of the Australian Information Commissioner
      </TextLink>{' '}
      (OAIC, 1300 363 992) takes complaints.
    </p>
    <p>When this policy changes, its date changes with it, and we write to you before a change that matters to you.</p>
  </>
);

/** Every group of the data map, with all that is said of it once it is opened. */
const Held = () => (
  <Card className="divide-y">
    {dataGroups.map(({ id, title, what, why, kept, closing }) => (
      <details key={id} className="group print:details-content:[content-visibility:visible]">
        <summary className="flex cursor-pointer list-none items-center gap-4 rounded px-4 py-3 hover:bg-surface-subtle focus-visible:-outline-offset-2 [&::-webkit-details-marker]:hidden">
          <h3 className="min-w-0 flex-1 text-sm">{title}</h3>
          <ChevronDown aria-hidden className="size-4 shrink-0 text-muted transition-transform group-open:rotate-180" />
        </summary>
        <dl className="grid gap-x-4 px-4 pt-1 pb-4 text-sm sm:grid-cols-[8rem_minmax(0,1fr)] sm:gap-y-2">
          {(
            [
              ['What', sentence(what)],
              ['Why', sentence(why)],
              ['Who sees it', seenSentence(id)],
              ['How long', sentence(kept)],
              ['When you close', closing],
            ] as const
          ).map(([term, text]) => (
            <Fragment key={term}>
              <dt className="text-muted max-sm:text-xs max-sm:font-semibold">{term}</dt>
              <dd className="max-sm:mt-0.5 max-sm:mb-3">{text}</dd>
            </Fragment>
          ))}
        </dl>
      </details>
    ))}
  </Card>
);

/** /privacy, for everybody. */
export default function PrivacyPage() {
  const sections = privacySections.map(({ id, title, intro, points }) => ({
    id,
    title,
    body: (
      <>
        {intro && <p>{intro}</p>}
        {id !== 'collect' && <Points points={typeof points === 'function' ? points() : points} />}
        {id === 'collect' && <Held />}
        {id === 'security' && (
          <p>
            See our <TextLink href={paths.securityPage}>security page</TextLink> for more.
          </p>
        )}
      </>
    ),
  }));
  return (
    <SectionsPage
      title="Privacy Policy"
      lead={`Last updated ${lastUpdated}`}
      summary={
        <InShort
          points={[
            'We hold what your account, your bills and your record of AI use need, and list all of it below.',
            'We do not sell your data, and there is no advertising.',
            inputGoes,
            'You can download your data or close your account yourself, in My Profile under Security.',
            'Closing erases your account. Invoices and a practice’s record name you, and stay for seven years or longer.',
          ]}
        />
      }
      sections={[...sections, { id: 'contact', title: 'Contact & Policy Updates', body: <Contact /> }]}
    />
  );
}

type PrivacySection = {
  id: string;
  title: string;
  intro?: string;
  points: readonly string[] | (() => readonly string[]);
};

/** When the product changes, this policy changes with it. */
const privacySections: readonly PrivacySection[] = [
  {
    id: 'collect',
    title: 'Data We Collect',
    intro: 'We collect it from you, from the tools you open, and from whoever invites you to a practice.',
    points: [],
  },
  {
    id: 'use',
    title: 'How We Use Your Data',
    points: [
      'To sign you in, open your tools, and show you your own figures.',
      'To charge what you agreed to, and to send the receipts and tax invoices the law asks for.',
      'To write to you about your account: verification, security, payments, renewals. Renewal reminders and offers have a one-step unsubscribe.',
      'To answer when you ask us for help.',
      'To find faults and abuse. No advertising, no profiling, no third-party analytics on our pages.',
    ],
  },
  {
    id: 'security',
    title: 'Data Security & Protection',
    points: () => [
      ...claimSentences(),
      `This policy covers ${brand.name} itself. Tools of other makers keep data where their own pages say.`,
      'Sessions end after 24 hours without use; every one of them is listed in My Profile and can be ended there.',
      'Every action of our administrators on an account is recorded.',
      'If a breach is likely to cause you serious harm, we tell you and the Office of the Australian Information Commissioner.',
    ],
  },
  {
    id: 'decisions',
    title: 'Decisions Made by Programs',
    intro: 'Some decisions about you are made by our programs, without a person looking first:',
    points: automatedDecisions,
  },
  {
    id: 'rights',
    title: 'Your Data Rights',
    intro: 'Under the Privacy Act 1988 and its Australian Privacy Principles:',
    points: [
      'Access: download everything we hold about you, at any time, in My Profile under Security.',
      'Correction: change your details yourself in My Profile, or ask us to.',
      'Erasure: close your account in the same place. Data We Collect says what we erase, and what the law makes us keep.',
      "Complaint: write to us first, and we'll answer within 30 days. You also have the right to complain to the privacy commissioner.",
    ],
  },
  {
    id: 'sharing',
    title: 'Data Sharing & Third Parties',
    intro: 'We do not sell your data. We share it only with those who are needed to serve you:',
    points: () => [
      ...providersNamed().map(providerSentence),
      'A tool you open learns what its page names before you subscribe, at most your name, email address, dealer group and team. What you type into a tool goes to its maker, who may be another company, perhaps overseas. Its supplier due diligence page says who that is and where data is kept.',
      'Your practice: the owner, the admins and the reviewers see what Data We Collect says they see.',
      'Authorities, where the law compels us.',
    ],
  },
];
