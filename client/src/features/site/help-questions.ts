import { brand } from '#shared/brand.ts';
import { resetTokenHours, verificationTokenHours } from '#shared/rules/people/accounts.ts';
import {
  partnerPercent,
  teamDiscountMembers,
  teamDiscountMinTools,
  teamPercent,
} from '#shared/rules/billing/pricing.ts';
import { dataMap, practiceSees } from '#shared/rules/people/data-map.ts';
import { inputGoes, recordStays } from '#shared/rules/record/kept.ts';
import { trialDays, trialEnds, trialGoesOn } from '#shared/rules/billing/trial-days.ts';
import { launchTokenMinutes } from '#shared/rules/tools/tools.ts';
import { searchable } from '#shared/rules/text.ts';
import { claimSentences } from '#client/lib/session/claims.ts';
import { paths } from '#client/lib/pages/paths.ts';

export type Question = {
  question: string;
  /** One string per paragraph. */
  answer: readonly string[];
  /** A list fetched from the server, shown below the answer. */
  list?: 'prices' | 'tiers';
  /** `member`: only shown to people with a complete profile. */
  link?: { label: string; href: string; member?: true };
};

const security = { label: 'Open the Security tab', href: `${paths.profile}?tab=security`, member: true } as const;
const billing = { label: 'Open Billing', href: `${paths.dashboard}?tab=billing`, member: true } as const;
const tools = { label: 'Open My Tools', href: paths.dashboard, member: true } as const;
const members = `${teamDiscountMembers.min} to ${teamDiscountMembers.max}`;

/** When the product changes, these answers change with it. */
const helpCategories: readonly { title: string; questions: readonly Question[] }[] = [
  {
    title: 'Getting Started',
    questions: [
      {
        question: `What is ${brand.name}?`,
        answer: [
          'A set of AI tools for Australian financial advisers: risk profiles, fact finds, file notes, form fill and digital signing, share advice with ASX 300 coverage, portfolio reviews, and lost money searches. You subscribe to the ones your practice needs, and each opens in its own window.',
        ],
      },
      {
        question: 'How do I create an account?',
        answer: [
          'Choose Sign Up and enter your name, your email and a password of at least 8 characters with uppercase, lowercase and a number. Then complete your profile, which takes about two minutes, and your dashboard opens.',
        ],
        link: { label: 'Sign up', href: paths.signUp },
      },
      {
        question: 'Why do I have to complete my profile first?',
        answer: [
          "Your business details go on your tax invoices, and the tools you open receive your dealer group. Until they're in, every page leads back to the form. AFSL number, ABN and credentials are optional; at least one area of specialisation is needed. You can change all of it later in My Profile.",
        ],
        link: { label: 'Open My Profile', href: paths.profile, member: true },
      },
      {
        question: 'How do I verify my email address?',
        answer: [
          `Open the link we email you when you register, and press the button on the page. The link works once, for ${verificationTokenHours} hours. If you can't find it, press Resend email in the banner at the top of your pages.`,
          'Until your address is verified you can buy a tool with a card, but not start a free trial.',
        ],
      },
      {
        question: 'How does the free trial work?',
        answer: [
          `You can try every tool once for ${trialDays.individual} days, with no credit card; a team gets ${trialDays.team} days. Choose Subscribe on a tool's card and start the trial there. The page says what a subscription costs afterwards.`,
          `${trialEnds} ${trialGoesOn}`,
        ],
        link: tools,
      },
    ],
  },
  {
    title: 'AI Tools',
    questions: [
      {
        question: 'How do I open a tool?',
        answer: [
          `Press Open on its card in My Tools. It opens in a new window, already signed in: there's no second password. The sign-in we pass on works once, within ${launchTokenMinutes} minutes.`,
        ],
        link: tools,
      },
      {
        question: 'Is the lost money tool really free?',
        answer: [
          "Yes, with any other subscription. It's added automatically with your first one, trials included, and ends with your last. You can't subscribe to it alone.",
        ],
      },
      {
        question: 'When can I subscribe to Advice Writer?',
        answer: [
          "It drafts Statements of Advice and is coming soon. You can't subscribe to it yet, and nobody is charged for it.",
        ],
      },
      {
        question: 'Do I still have to check what a tool writes?',
        answer: [
          'Yes. The tools prepare documents, searches and scores; you decide, and you remain responsible for your advice. Read everything before it goes to a client or onto a file.',
        ],
      },
      {
        question: 'What do the figures on my dashboard mean?',
        answer: [
          'The Analytics tab covers the last 30 days: sessions across all tools, the time spent in them, the average performance score out of 10, and your active tools. Time Saved on the dashboard is an estimate: your sessions, times the minutes of paperwork a session of that tool usually saves.',
        ],
        link: { label: 'Open Analytics', href: `${paths.dashboard}?tab=analytics`, member: true },
      },
    ],
  },
  {
    title: 'Compliance & Security',
    questions: [
      {
        question: "Is my clients' data stored?",
        answer: [
          `${inputGoes} We store no names of clients. For each session we keep when it was, how long it took, how much was done and its performance score.`,
          recordStays,
        ],
        link: { label: 'Privacy policy', href: paths.privacy },
      },
      {
        question: 'Where is my data, and how is it protected?',
        get answer() {
          return [
            ...[claimSentences().join(' ')].filter(Boolean),
            'Passwords are kept as hashes only, and card numbers never reach us: they go straight to Stripe.',
          ];
        },
        link: { label: 'Security', href: paths.securityPage },
      },
      {
        question: 'How do I sign out a device I lost?',
        answer: [
          "My Profile has a Security tab with every session of your account: the browser, and when it was last used. Sign out any you don't recognise. Changing your password signs out all the others at once.",
        ],
        link: security,
      },
      {
        question: 'Can my practice see what I do in a tool?',
        answer: practiceSees,
      },
      {
        question: 'Can I download or erase my data?',
        answer: [
          'Yes, both, in the Security tab of My Profile. The download has everything we hold about you. Closing your account ends your subscriptions and cannot be undone.',
          ...(['account', 'invoices', 'use', 'record'] as const).map(
            (id) => `${dataMap[id].title}: ${dataMap[id].closing}`,
          ),
        ],
        link: security,
      },
    ],
  },
  {
    title: 'Billing & Plans',
    questions: [
      {
        question: 'What does each tool cost?',
        answer: ['Each tool has its own monthly price, in Australian dollars with GST included. Before discounts:'],
        list: 'prices',
      },
      {
        question: 'When am I charged?',
        answer: [
          'Once a month, for all your tools together, on the day of the month on which your first paid tool began. When you add a tool, you pay for the days until your next bill, and the button says how much. The Billing tab says what you pay next, when, and what for. We email you the same before each bill, unless you turn reminders off. If a bill goes up, we always tell you first.',
        ],
        link: billing,
      },
      {
        question: 'Do I pay less with several tools?',
        answer: [
          'Yes. Free trials count while they run. A tool you add gets the discount at once, your others from your next bill. When a tool ends, the discount changes from the next bill. Discounts don’t combine: each tool gets the largest. Your dashboard shows what you save, and how many more tools the next discount needs. You get:',
        ],
        list: 'tiers',
      },
      {
        question: 'What does a team pay?',
        answer: [
          `The owner buys a tool for the whole team: the price is per member per month. When somebody joins or leaves, we add the rest of the month to the next bill, or take it off. A team of ${members} members gets ${teamPercent}% off all its tools as soon as it has at least ${teamDiscountMinTools}, or the discount for several tools where that is larger. For 20 advisers or more, talk to our enterprise team.`,
        ],
        link: { label: 'Open your team', href: paths.teams, member: true },
      },
      {
        question: 'Who gets the partner discount?',
        answer: [
          `Advisers of ${brand.partnerGroupName} pay ${100 - partnerPercent}% of every base price. It applies automatically once your work email address is verified. Then the largest other discount is taken off what’s left.`,
        ],
      },
      {
        question: 'How do I cancel a subscription?',
        answer: [
          "Press Cancel in your subscriptions, or on the tool’s card, and choose a reason. End it with the period you've paid for and keep access until then, or end it straight away. Either way you are not charged for another month of it, and days already paid are not refunded. Before you confirm, you see what your next bill will be.",
        ],
        link: billing,
      },
      {
        question: 'Can I come back after cancelling?',
        answer: [
          'For 7 days after your access ended you can press Reactivate. That costs nothing before the paid period is over. Afterwards you pay for the days until your next bill, or for a month if no bill is coming. The button says how much. Later you can subscribe again, often with an offer.',
        ],
      },
      {
        question: 'What happens when a payment fails?',
        answer: [
          'You keep your access for 7 days. A banner says what is owed and why it failed. Its button pays everything. You can also add another card under Billing, which we charge at once. Until it is paid, you can’t add tools. We email you again on days 3 and 6. If it isn’t paid in that time your tools end, and you owe nothing.',
        ],
        link: billing,
      },
      {
        question: 'Where are my invoices, and how do I change my card?',
        answer: [
          'The Billing tab has both. Update Payment opens the card form; the new card then pays your whole bill, and so does one you enter when you buy a tool. What is unpaid is charged to it at once. Every invoice downloads as a PDF tax invoice with your ABN and the GST.',
        ],
        link: { label: 'Open invoices', href: paths.invoices, member: true },
      },
    ],
  },
  {
    title: 'Technical Support',
    questions: [
      {
        question: 'A tool won’t open. What can I do?',
        answer: [
          `Your browser probably blocked a pop-up. Allow pop-ups for ${brand.name} (the icon at the right of the address bar) and press Open again. We support current versions of Chrome, Edge, Firefox and Safari.`,
        ],
      },
      {
        question: 'How do I reset my password?',
        answer: [
          `Press Forgot Password? on the sign-in page. The link we email works once, for ${resetTokenHours} hour, and a newer link replaces it. Setting a new password signs out every device.`,
        ],
        link: { label: 'Go to sign in', href: paths.auth },
      },
      {
        question: 'Why was I signed out?',
        answer: [
          'A session ends after 24 hours without use, and after 14 days in any case. Administrators’ sessions end sooner. A changed or reset password ends all other sessions.',
        ],
      },
      {
        question: 'Why don’t I get your emails?',
        answer: [
          'Please check your spam folder first, and check the address in My Profile. Renewal reminders can be turned off, by you or with the link in each of them; emails about security and payments are always sent.',
        ],
      },
      {
        question: 'We build a tool ourselves. How does it receive sign-ins?',
        answer: [
          'Your server exchanges the token it is opened with for the adviser’s name, once, and reports usage afterwards. The makers’ guide describes each call and can be tried out.',
        ],
        link: { label: 'Makers’ guide', href: '/api/docs' },
      },
    ],
  },
];

const words = (text: string) => searchable(text).split(' ').filter(Boolean);
const textOf = ({ question, answer }: Question) => searchable([question, ...answer].join(' '));

/** Questions that contain every word, in question or answer, however it is typed. */
export const findQuestions = (search: string) => {
  const wanted = words(search);
  return helpCategories
    .map(({ title, questions }) => ({
      title,
      questions: questions.filter((each) => wanted.every((word) => textOf(each).includes(word))),
    }))
    .filter(({ questions }) => questions.length > 0);
};
