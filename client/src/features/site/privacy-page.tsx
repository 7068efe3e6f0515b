import { brand } from '#shared/brand.ts';
import { formatAbn } from '#shared/rules/australia.ts';
import { Points, SectionsPage } from '#client/features/site/sections-page.tsx';
import { paths } from '#client/lib/pages/paths.ts';
import { TextLink } from '#client/ui/elements.tsx';
import { claimSentences } from '#client/lib/session/claims.ts';

/** Update this whenever the text changes. */
const lastUpdated = '22 November 2026';
const commissioner = 'https://www.oaic.gov.au/privacy/privacy-complaints';

const contact = (
  <>
    <p>
      For questions, requests and complaints about privacy, write to{' '}
      <TextLink href={`mailto:${brand.privacyEmail}`}>{brand.privacyEmail}</TextLink>; anything else at{' '}
      <TextLink href={`mailto:${brand.supportEmail}`}>{brand.supportEmail}</TextLink>. We are {brand.sellerName}, ABN{' '}
      <span className="figures whitespace-nowrap">{formatAbn(brand.sellerAbn)}</span>.
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

/** /privacy, for everybody. */
export default function PrivacyPage() {
  const sections = privacySections.map(({ id, title, intro, points }) => ({
    id,
    title,
    body: (
      <>
        {intro && <p>{intro}</p>}
        <Points points={points} />
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
      sections={[...sections, { id: 'contact', title: 'Contact & Policy Updates', body: contact }]}
    />
  );
}

type PrivacySection = { id: string; title: string; intro?: string; points: readonly string[] };

/** When the product changes, this policy changes with it. */
const privacySections: readonly PrivacySection[] = [
  {
    id: 'collect',
    title: 'Data We Collect',
    intro: 'We collect what we need to give you an account and your tools, and nothing to sell.',
    points: [
      'Account: your name, email address and password, which we keep only as a hash.',
      'Profile: your business phone, business name and address, dealer group, AFSL number and ABN if you give them, credentials, and areas of specialisation.',
      'Subscriptions and payments: the tools you subscribe to, your billing address and your invoices. We keep only the brand, last four digits and expiry of your card; its number goes straight to Stripe and never reaches us.',
      'Usage: when you opened which tool, for how long, how much was done, and a performance score. Not what you wrote, and not about whom.',
      'Security: your sessions with browser and last use, and a record of security events with the IP address they came from.',
      'What you write to us: messages to support, with your name and address.',
    ],
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
    points: [
      ...claimSentences(),
      'Sessions end after 24 hours without use; every one of them is listed in My Profile and can be ended there.',
      'Every action of our administrators on an account is recorded.',
      'If a breach is likely to cause you serious harm, we tell you and the Office of the Australian Information Commissioner.',
    ],
  },
  {
    id: 'rights',
    title: 'Your Data Rights',
    intro: 'Under the Privacy Act 1988 and its Australian Privacy Principles:',
    points: [
      'Access: download everything we hold about you, at any time, in My Profile under Security.',
      'Correction: change your details yourself in My Profile, or ask us to.',
      'Erasure: close your account in the same place. Your name and details are erased, here and at Stripe, which handles our payments. Invoices are kept for at least seven years, because tax and company law require it; usage records stay without your name.',
      "Complaint: write to us first, and we'll answer within 30 days. You also have the right to complain to the privacy commissioner.",
    ],
  },
  {
    id: 'sharing',
    title: 'Data Sharing & Third Parties',
    intro: 'We do not sell your data. We share it only with those who are needed to serve you:',
    points: [
      'Stripe processes payments: your name, email address, phone, ABN, billing address and card.',
      'The tools you open learn who you are: your name, email address, dealer group and team.',
      'Your practice: the owner and the admins of your team see your name, your email address, and how much you use the team’s tools.',
      'A mail service delivers our messages to you.',
      'Authorities, where the law compels us.',
    ],
  },
];
