import { CreditCard, Database, Download, KeyRound } from 'lucide-react';
import { useEffect } from 'react';
import { brand, seller } from '#shared/brand.ts';
import { claimsAt } from '#shared/rules/claims.ts';
import { inputGoes, recordStays } from '#shared/rules/record/kept.ts';
import { providerSentence } from '#shared/rules/people/providers.ts';
import { Points, SectionsPage, Tiles } from '#client/features/site/sections-page.tsx';
import { claimsMade, providersNamed, signInWith } from '#client/lib/session/claims.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { Badge, TextLink } from '#client/ui/elements.tsx';

const report = (
  <>
    <p>
      Write to <TextLink href={`mailto:${seller().supportEmail}?subject=Security`}>{seller().supportEmail}</TextLink>.
      Tell us what you did, what you saw, and how we can see it too.
    </p>
    <p>
      Please don’t read, change or keep other people’s data, and give us time to fix the fault before you tell others.
    </p>
  </>
);

/** What depends on the installation. */
const addedTo = (id: string): string[] => {
  if (id === 'hosting') return providersNamed().map(providerSentence);
  // Beside what we do, what we say of it elsewhere.
  if (id === 'encryption')
    return claimsAt('sentence', claimsMade()).flatMap(({ text, about }) => (about === id ? [text] : []));
  return id === 'sign-in' && signInWith().length > 0
    ? [
        'You can sign in with Microsoft or Google, at no extra cost. Two-step verification still holds. A practice can ask for its own Microsoft account.',
      ]
    : [];
};

/** The claims that lead here. */
const Badges = ({ about }: { about: string }) => {
  const claims = claimsAt('badge', claimsMade()).filter((claim) => claim.about === about);
  return (
    claims.length > 0 && (
      <p className="flex flex-wrap gap-2">
        {claims.map(({ text }) => (
          <Badge key={text} tone="primary">
            {text}
          </Badge>
        ))}
      </p>
    )
  );
};

const tiles = () => {
  const host = providersNamed().find(({ duty }) => duty === 'hosting');
  return [
    [
      Database,
      'Where your data is',
      host
        ? `${host.name} (${host.countries}) runs our servers, database and backups.`
        : 'In one database and its backups.',
      paths.claim('hosting'),
    ],
    [
      KeyRound,
      'Passkeys and two-step',
      'For everybody. A practice can ask for two-step verification.',
      paths.claim('sign-in'),
    ],
    [CreditCard, 'Cards at Stripe', 'Card numbers never reach our servers.', paths.claim('encryption')],
    [Download, 'Export and close', 'Download your data or close your account yourself.', paths.claim('rights')],
  ] as const;
};

/** /security, for everybody: each claim leads to its section. */
export default function SecurityPage() {
  useEffect(() => document.getElementById(window.location.hash.slice(1))?.scrollIntoView(), []);
  const sections = securitySections.map(({ points, ...section }) => ({
    ...section,
    body: (
      <>
        <Badges about={section.id} />
        <Points points={[...addedTo(section.id), ...points]} />
      </>
    ),
  }));
  return (
    <SectionsPage
      title="Security"
      summary={<Tiles tiles={tiles()} />}
      lead={`What ${brand.name} does to keep your account and your data safe.`}
      sections={[...sections, { id: 'report', title: 'Report a vulnerability', body: report }]}
    />
  );
}

/** What the product does: when it changes, this changes with it. Promises nothing that the code doesn't keep. */
const securitySections = [
  {
    id: 'sign-in',
    title: 'Sign-in',
    points: [
      'We store passwords as hashes only. Common ones, and those made of your name or email address, are refused.',
      'Passkeys and authenticator apps are there for everybody, with recovery codes. A practice can ask for two-step verification from its whole team.',
      'Before a sensitive change, such as a new password or email address, we check that it’s you. We ask at most once in ten minutes.',
      'After too many wrong passwords we stop further tries for a while, for that account and from that address. When a browser that is new to your account signs in, you get an email.',
      'Sessions end after 24 hours without use, and after 14 days in any case. My Profile lists yours under Security, where you can end each of them. A new password ends all the others.',
    ],
  },
  {
    id: 'encryption',
    title: 'Encryption',
    points: ['Card numbers go straight from your browser to Stripe. They never reach our servers.'],
  },
  {
    id: 'client-data',
    title: 'Your clients’ data',
    points: [
      `${inputGoes} For each session we store when it was, how long it took, how much was done in it and its performance score.`,
      recordStays,
      'A client reference is refused where it looks like a name, a date of birth or somebody’s number. Remarks are examined for numbers and addresses.',
      'The owner, the admins and the reviewers of a practice see this for the practice’s sessions.',
      'When you open a tool, it learns your name, email address, dealer group and team, in exchange for a token that works for that tool alone.',
    ],
  },
  {
    id: 'controls',
    title: 'Access and records',
    points: [
      'Rights are checked with every request. If you ask for somebody else’s data, the answer is that there is no such page or record.',
      'Administrators confirm who they are before any change they make.',
      'Sign-ins, wrong passwords and administrators’ changes are recorded, with the time and the address they came from. The database refuses to change or delete a record. You see your own sign-ins in My Profile under Security.',
    ],
  },
  {
    id: 'hosting',
    title: 'Where your data is',
    points: [
      'What we store is in one database and its backups. There is no advertising on our pages, and nobody else’s analytics.',
    ],
  },
  {
    id: 'availability',
    title: 'Availability',
    points: [
      'Several servers can share the work, so that one can stop, or take a new release, while the others answer.',
      'While Stripe or the email service is down, the rest keeps working, and we finish later what was begun.',
    ],
  },
  {
    id: 'rights',
    title: 'Your data is yours',
    points: [
      'You can download everything we hold about you, and close your account, in My Profile under Security, without asking us.',
      'Closing erases your name and details, here and at Stripe. The privacy policy names what the law makes us keep.',
      'If a breach is likely to cause you serious harm, we tell you and the Office of the Australian Information Commissioner.',
    ],
  },
  {
    id: 'figures',
    title: 'Our figures',
    points: [
      'Time saved is an estimate: the sessions, times the minutes of paperwork that a session of that tool usually saves. Your dashboard shows yours.',
      'Ask us about any other figure, and we tell you how and when we counted.',
    ],
  },
  {
    id: 'technical',
    title: 'For your IT adviser',
    folded: true,
    points: [
      'The database is PostgreSQL. Passwords are stored as bcrypt hashes.',
      'We tell browsers to use HTTPS only, and to remember that for two years.',
      'Session ids, API keys, launch tokens and recovery codes are stored as SHA-256 hashes only. So are the links in our emails, once an email is sent.',
      'Secrets of authenticator apps are encrypted with AES-256-GCM, each for its owner alone.',
      'Automated tests try every call of our API as every kind of caller, and with hostile input.',
      'Our tests stop the database, servers and jobs in the middle of their work, and look for anything lost or done twice.',
    ],
  },
] as const;
