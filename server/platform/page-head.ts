import { brand } from '#shared/brand.ts';
import { trialDays } from '#shared/rules/subscriptions.ts';

/** What search engines and shared links are told of a page. Titles agree with those the pages set themselves. */
export type Head = {
  title: string;
  description: string;
  /** The one address of this page: others that show the same name it. */
  path: string;
  /** Pages that need a link from a mail, or exist for one person, are not for search engines. */
  index: boolean;
};

const named = (name: string) => `${name} · ${brand.name}`;
const own = (path: string, name: string): Head => ({
  title: named(name),
  description: brand.description,
  path,
  index: false,
});

/** Signed out, every other path shows this page (A §2). */
export const landingHead: Head = {
  title: `${brand.name} · ${brand.tagline}`,
  description:
    'AI tools for Australian financial advisers: risk profiles, fact finds, file notes and forms. ' +
    `Subscribe to each tool on its own, with a ${trialDays.individual}-day free trial and no credit card.`,
  path: '/',
  index: true,
};

/** The pages that are always available (A §2), by their paths. */
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
  '/privacy': {
    title: named('Privacy Policy'),
    description: `What ${brand.name} keeps about advisers, why, for how long, and how to see or erase it.`,
    path: '/privacy',
    index: true,
  },
  '/reset-password': own('/reset-password', 'Reset your password'),
  '/setup-admin': own('/setup-admin', 'Set up the administrator'),
  '/admin-replit': own('/admin-replit', 'Sign-in removed'),
  '/verify-email': own('/verify-email', 'Verify your email'),
  '/accept-invitation': own('/accept-invitation', 'Team invitation'),
  '/unsubscribe': own('/unsubscribe', 'Unsubscribe'),
};

export const signUpHead: Head = { ...pageHeads['/auth']!, title: named('Create your account') };
