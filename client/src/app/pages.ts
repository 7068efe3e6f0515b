import type { ComponentType, ReactNode } from 'react';
import type { User } from '#shared/api/accounts.ts';
import type { PageName } from '#client/app/resolve-route.ts';
import { later } from '#client/lib/pages/load-later.ts';

type Lazy<P> = { load: () => Promise<unknown>; Component: ComponentType<P> };
const page = <P extends object>(load: () => Promise<{ default: ComponentType<P> }>): Lazy<P> => {
  const Component = later(load);
  return { load: Component.load, Component };
};

export const signedInShell = page<{ user: User; children: ReactNode }>(() => import('#client/app/signed-in-shell.tsx'));

/** A page is the default export of its file and gets the parameters of its path. */
type Page = Lazy<{ params: Record<string, string> }>;

export const landingPage: Page = page(() => import('#client/features/site/landing-page.tsx'));

export const pages: Record<PageName, Page> = {
  auth: page(() => import('#client/features/accounts/auth-page.tsx')),
  verifyEmail: page(() => import('#client/features/accounts/verify-email-page.tsx')),
  changeEmail: page(() => import('#client/features/accounts/confirm-email-page.tsx')),
  undoEmailChange: page(() => import('#client/features/accounts/undo-email-page.tsx')),
  completeProfile: page(() => import('#client/features/accounts/complete-profile-page.tsx')),
  home: page(() => import('#client/app/home-page.tsx')),
  subscribe: page(() => import('#client/features/subscriptions/subscribe/subscribe-page.tsx')),
  profile: page(() => import('#client/features/accounts/profile-page.tsx')),
  admin: page(() => import('#client/features/admin/admin-page.tsx')),
  adminTeam: page(() => import('#client/features/admin/people/team-page.tsx')),
  adminUser: page(() => import('#client/features/admin/people/person-page.tsx')),
  adminTool: page(() => import('#client/app/admin-tool-page.tsx')),
  developers: page(() => import('#client/features/developers/developers-page.tsx')),
  teams: page(() => import('#client/app/teams-page.tsx')),
  packs: page(() => import('#client/features/evidence/packs-page.tsx')),
  verifyPack: page(() => import('#client/features/evidence/verify-page.tsx')),
  record: page(() => import('#client/features/record/record-page.tsx')),
  disclosure: page(() => import('#client/features/record/disclosure-page.tsx')),
  invoices: page(() => import('#client/features/billing/invoices-page.tsx')),
  help: page(() => import('#client/features/site/help-page.tsx')),
  privacy: page(() => import('#client/features/site/privacy-page.tsx')),
  security: page(() => import('#client/features/site/security-page.tsx')),
  terms: page(() => import('#client/features/site/terms-page.tsx')),
  resetPassword: page(() => import('#client/features/accounts/reset-password-page.tsx')),
  acceptInvitation: page(() => import('#client/features/teams/accept-invitation-page.tsx')),
  unsubscribe: page(() => import('#client/features/notifications/unsubscribe-page.tsx')),
  setupAdmin: page(() => import('#client/features/accounts/setup-admin-page.tsx')),
  adminReplit: page(() => import('#client/features/accounts/admin-replit-page.tsx')),
};
