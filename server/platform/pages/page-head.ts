import { brand } from '#shared/brand.ts';
import { trialDays } from '#shared/rules/billing/trial-days.ts';

/** A page's metadata for search engines and shared links. Titles have to match those the pages set in the browser. */
export type Head = {
  title: string;
  description: string;
  /** The page's canonical path, which other addresses that show the same page refer to. */
  path: string;
  /** Whether search engines may list it: not pages that need a link from a mail or are for one person. */
  index: boolean;
};

const named = (name: string) => `${name} · ${brand.name}`;
const own = (path: string, name: string): Head => ({
  title: named(name),
  description: brand.description,
  path,
  index: false,
});

/** For visitors, every other path shows this page. */
export const landingHead: Head = {
  title: `${brand.name} · ${brand.tagline}`,
  description:
    'AI tools for Australian financial advisers: risk profiles, fact finds, file notes and forms. ' +
    `Subscribe to each tool on its own, with a ${trialDays.individual}-day free trial and no credit card.`,
  path: '/',
  index: true,
};

/** The pages that everybody can open, by path. */
export const pageHeads: Record<string, Head> = {
  '/auth': {
    title: named('Sign in'),
    description: `Sign in to ${brand.name}, or create your account and try any tool free for ${trialDays.individual} days.`,
    path: '/auth',
    index: true,
  },
  '/help': {
    title: named('Help'),
    description: `How to use ${brand.name}: trials, subscriptions, invoices, teams and each tool, with guides and answers.`,
    path: '/help',
    index: true,
  },
  '/developers': {
    title: named('For makers of tools'),
    description: `Sell your tool to financial advisers on ${brand.name}: terms, price, share, payout, and what advisers see.`,
    path: '/developers',
    index: true,
  },
  '/privacy': {
    title: named('Privacy Policy'),
    description: `What ${brand.name} keeps about advisers, why, for how long, and how to see or erase it.`,
    path: '/privacy',
    index: true,
  },
  '/security': {
    title: named('Security'),
    description: `What ${brand.name} does to keep accounts and data safe, and how to report a weakness.`,
    path: '/security',
    index: true,
  },
  '/terms': {
    title: named('Terms of Service'),
    description: `The terms of ${brand.name} in plain words: trials, prices, cancelling, teams, and what you can expect of us.`,
    path: '/terms',
    index: true,
  },
  '/record/verify': {
    title: named('Verify an evidence pack'),
    description: `Check whether the files of an ${brand.name} evidence pack are as they were made. They stay in your browser.`,
    path: '/record/verify',
    index: true,
  },
  '/reset-password': own('/reset-password', 'Reset your password'),
  '/auth/microsoft': own('/auth/microsoft', 'Sign in with Microsoft'),
  '/auth/google': own('/auth/google', 'Sign in with Google'),
  '/setup-admin': own('/setup-admin', 'Set up the administrator'),
  '/admin-replit': own('/admin-replit', 'Sign-in removed'),
  '/verify-email': own('/verify-email', 'Verify your email'),
  '/change-email': own('/change-email', 'Change your email'),
  '/undo-email-change': own('/undo-email-change', 'Undo the change of email'),
  '/secure-account': own('/secure-account', 'Secure your account'),
  '/stop-factor-reset': own('/stop-factor-reset', 'Keep your verification methods'),
  '/accept-invitation': own('/accept-invitation', 'Team invitation'),
  '/unsubscribe': own('/unsubscribe', 'Unsubscribe'),
  '/bookkeeper/confirm': own('/bookkeeper/confirm', 'Copies of receipts and tax invoices'),
  '/bookkeeper/stop': own('/bookkeeper/stop', 'Stop copies'),
};

/** A tool's page for visitors. */
export const toolHead = ({
  id,
  name,
  description,
}: {
  id: string;
  name: string;
  description: string | null;
}): Head => ({
  title: named(name),
  description: description ?? brand.description,
  path: `/tools/${id}`,
  index: true,
});

export const signUpHead: Head = { ...pageHeads['/auth']!, title: named('Create your account') };
