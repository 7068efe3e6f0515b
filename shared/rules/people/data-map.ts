import { recordHolds, recordKept } from '../record/kept.ts';
import { factsOf, laterFields } from './profile.ts';

const listed = new Intl.ListFormat('en-AU');

/** Who sees something, beside the person it is about and our administrators. */
const viewers = {
  practice: 'the owner, the admins and the reviewers of your practice',
  supervisors: 'the owner, the admins and the reviewers of your practice (of its own)',
  members: 'the members of your practice',
  maker: 'the maker of a tool that you open',
  opened: 'the maker of a tool that you open for a client (only the file number and the purpose)',
  invited:
    'whoever you invite to a practice that you own, and who looks after its record (business details, ABN and AFSL number)',
  payments: 'our payments service',
  mail: 'our email service',
} as const;
type Viewer = keyof typeof viewers;

type Group = {
  title: string;
  /** What it is, and why it is held, as the middle of a sentence: "Your name …". */
  what: string;
  why: string;
  seenBy: readonly Viewer[];
  /** How long it is kept while the account is open. */
  kept: string;
  /** What becomes of it when the account is closed. */
  closing: string;
  /** Whether closing empties the columns of this group: all, only outside a practice's record, or none. */
  erases: 'all' | 'own' | 'none';
};

const whileOpen = 'as long as your account';
const taxYears = 'at least seven years, because tax and company law require it';

/**
 * Every kind of personal data that is stored, in the words that people read: the privacy policy, the security, terms and
 * help pages, the export and the closing dialog are written from it. shared/schema/personal-columns.ts puts each column into one.
 */
export const dataMap = {
  account: {
    title: 'Account',
    what: 'your name, email address and picture, your password as a hash only, your former addresses, and your settings',
    why: 'to sign you in and to write to you',
    seenBy: ['practice', 'members', 'maker', 'payments', 'mail'],
    kept: whileOpen,
    closing: 'Erased at once, here and at Stripe. Only a number stays, which no longer leads to you.',
    erases: 'all',
  },
  profile: {
    title: 'Profile',
    what: `your ${listed.format(laterFields.map((name) => factsOf(name).called))}, as far as you give them`,
    why: 'for your tax invoices, and for the evidence packs and invitations of a practice that you own; the tools you open are told your dealer group',
    seenBy: ['maker', 'invited', 'payments'],
    kept: whileOpen,
    closing: 'Erased at once, here and at Stripe.',
    erases: 'all',
  },
  signIn: {
    title: 'Sign-in',
    what: 'your sessions with the browser and their last use, remembered devices, passkeys, authenticator apps and recovery codes, and the number under which Microsoft or Google signs you in',
    why: 'to keep others out of your account',
    seenBy: [],
    kept: 'until they end or you remove them',
    closing: 'Erased at once.',
    erases: 'all',
  },
  activity: {
    title: 'Security events',
    what: 'what was done in your account and by whom, with the time, the IP address and the browser',
    why: 'to find faults and abuse, and to show later who did what',
    seenBy: [],
    kept: 'for good',
    closing: 'Kept for good, by a number without your name.',
    erases: 'none',
  },
  card: {
    title: 'Card and credit',
    what: 'the brand, last four digits and expiry of your card, and credit that you have; the card’s number never reaches us',
    why: 'to charge what you agreed to',
    seenBy: ['payments'],
    kept: 'until you replace it',
    closing: 'Erased at once, here and at Stripe.',
    erases: 'all',
  },
  purchases: {
    title: 'Subscriptions and bills',
    what: 'the tools you subscribe to, free trials and discount codes, what you were charged and what you were told about it',
    why: 'to give you your tools and charge the right price; a trial is once per person',
    seenBy: ['payments'],
    kept: taxYears,
    closing:
      'Kept for at least seven years, without your name; a practice’s bills name you beside your seat. That you had a free trial is kept for good, as a hash of your address.',
    erases: 'none',
  },
  invoices: {
    title: 'Invoices',
    what: 'your tax invoices and refunds, with your name, business, ABN and billing address as they were on the day of issue, and a practice’s with your name beside your seat; your bookkeeper’s address, if you gave one',
    why: 'because the law asks for tax invoices; your bookkeeper gets copies',
    seenBy: ['supervisors', 'payments', 'mail'],
    kept: taxYears,
    closing:
      'Kept for at least seven years, as they were issued, because tax and company law require it. The bookkeeper’s address is erased at once.',
    erases: 'none',
  },
  use: {
    title: 'Use of tools',
    what: 'when you opened which tool in which version, for how long, how much was done in it, and its performance score',
    why: 'to show you and your practice how the tools are used',
    seenBy: ['practice', 'maker'],
    kept: 'for good',
    closing: 'Kept for good, without your name.',
    erases: 'none',
  },
  keys: {
    title: 'Keys of tools',
    what: 'the keys with which tools open for you and act for you, as hashes with their last four characters, and which tools may ask about you',
    why: 'to let in only the tools you opened',
    seenBy: ['maker'],
    kept: 'for good; a key that only opens a tool is deleted some days after it expires',
    closing: 'They stop working at once, and stay as hashes that lead to nobody.',
    erases: 'none',
  },
  record: {
    title: 'Record of AI use',
    what: `for each session, ${recordHolds}`,
    why: 'so that you and your practice can show later how AI was used and who checked it',
    seenBy: ['practice', 'opened'],
    kept: `${recordKept}, longer while the practice has a legal hold; whether you checked it, and what it was for, stays with the use of the tool`,
    closing:
      'Sessions of your own lose their client references and reviews at once, and your own evidence packs go. What you did through a practice stays in its record for the seven years.',
    erases: 'own',
  },
  practice: {
    title: 'Practice',
    what: 'the practice you own or belong to, your role in it, since when, invitations, the tools you asked it for, and what you did in it, such as changing a role or stopping a tool',
    why: 'to share the practice’s tools among its members',
    seenBy: ['practice', 'members', 'maker'],
    kept: 'your role as long as you belong to it, invitations and what you asked for as long as your account, and what you did in it for good',
    closing:
      'Your membership, your invitations and what you asked for are erased at once. Whoever you invited stays invited. What you did in it is kept for good, and names you for seven years.',
    erases: 'none',
  },
  whoIsWho: {
    title: 'Who is who in a practice’s record',
    what: 'your name, email address, adviser number, and since when and until when you belonged to the practice',
    why: 'so that its record of AI use shows who acted, as a licensee’s record has to',
    seenBy: ['practice'],
    kept: 'as long as the practice’s record, seven years after you left it; in evidence packs seven years after they were made',
    closing: 'Kept for seven years by each practice that you worked for, with its record and its evidence packs.',
    erases: 'none',
  },
  decisions: {
    title: 'Decisions and reviews of tools',
    what: 'which tools your practice uses and allows, who answers for each, and how it reviewed them, which samples a supervisor drew and which sessions they signed off, with who and when',
    why: 'because a licensee has to show how it supervises AI',
    seenBy: ['practice', 'members'],
    kept: 'seven years, longer while the practice has a legal hold; current decisions as long as the practice exists, and seven years after',
    closing: 'The practice keeps them for that time.',
    erases: 'none',
  },
  words: {
    title: 'What you write to us',
    what: 'your messages to support, and what you add when you cancel',
    why: 'to answer you and to fix what is wrong',
    seenBy: ['mail'],
    kept: 'as long as your account, and in our support mailbox for as long as we need it to answer you',
    closing: 'Erased here at once.',
    erases: 'all',
  },
  messages: {
    title: 'Messages to you',
    what: 'our emails and notices to you; of an email only the subject and address stay once it has left',
    why: 'to tell you about your account, security and money',
    seenBy: ['mail'],
    kept: 'notices for 13 months, emails as long as your account',
    closing: 'Erased at once, our last email after seven days. What colleagues were told of you stays with them.',
    erases: 'none',
  },
  maker: {
    title: 'Tools you make',
    what: 'the tools that you publish here, what you say about them with the contact address that you give, and test advisers, who are made up',
    why: 'because practices rely on it when they choose a tool',
    seenBy: ['practice', 'members'],
    kept: 'for good',
    closing:
      'Kept for good, by a number without your name, with the contact address that you gave. Drafts of tools are withdrawn.',
    erases: 'none',
  },
  operations: {
    title: 'Work of our administrators',
    what: 'what they change, and what they ask each other to approve, with the reason',
    why: 'so that nobody can act on an account without a trace',
    seenBy: [],
    kept: 'for good',
    closing: 'Kept for good, by a number without your name. Addresses and passwords in it are erased.',
    erases: 'none',
  },
  housekeeping: {
    title: 'Housekeeping',
    what: 'hashes of links and keys, counters, and marks by which our programs keep in step with each other and with Stripe',
    why: 'so that nothing happens twice or gets lost',
    seenBy: [],
    kept: 'as long as the data that they help to manage',
    closing: 'Erased with the data that it helps to manage.',
    erases: 'none',
  },
} as const satisfies Record<string, Group>;

export type DataGroup = keyof typeof dataMap;
export const dataGroups = Object.entries<Group>(dataMap).map(([id, group]) => ({ id: id as DataGroup, ...group }));

export const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** Who sees a group: "You, the owner, the admins and the reviewers of your practice and our administrators." */
export const seenSentence = (id: DataGroup) =>
  sentence(listed.format(['you', ...dataMap[id].seenBy.map((viewer) => viewers[viewer]), 'our administrators']));

/** What a practice's owner, admins and reviewers see of its members, one sentence for each group. */
export const practiceSees: readonly string[] = [
  'The owner, the admins and the reviewers of your practice see your name, email address, picture, adviser number and role, and since when you belong to it.',
  `They see how you use the practice’s tools: ${dataMap.use.what}.`,
  `They see the practice’s record of AI use, which is kept for ${recordKept}, longer while the practice has a legal hold: ${dataMap.record.what}.`,
  'The record keeps your name for that time, even after you leave the practice or close your account.',
];

/** What programs decide about a person, without anybody of ours looking first (Australian Privacy Principle 1.7). */
export const automatedDecisions = [
  'Too many wrong passwords or requests stop further ones for a while. The program looks at the account and at the address they come from.',
  'When a bill is still unpaid after seven days, or an account or practice is closed, access to its tools ends. The program looks at payments and dates.',
  'A free trial is refused to somebody who had one of that tool. The program compares a scrambled copy of the email address.',
  'Prices and discounts are worked out from the tools, the members and offers that you have, and whether your verified email address is a partner’s.',
  'This service scores nobody, gives no advice, and does not decide who may become a customer. A tool may work out a score for a client: its page says so, and what it works out is for you to judge.',
  'If one of these decisions is wrong for you, write to us, and a person looks at it.',
] as const;
