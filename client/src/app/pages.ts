import type { ComponentType, ReactNode } from 'react';
import type { User } from '#shared/api/accounts.ts';
import { later } from '#client/lib/pages/load-later.ts';

export const SignedInShell = later<{ user: User; children: ReactNode }>(
  () => import('#client/app/signed-in-shell.tsx'),
);

/** A page is the default export of its file and gets the parameters of its path. */
export type Page = ComponentType<{ params: Record<string, string> }> & { load: () => Promise<unknown> };

export const LandingPage: Page = later(() => import('#client/features/site/landing-page.tsx'));

export const pages = {
  auth: later(() => import('#client/features/accounts/auth-page.tsx')),
  provider: later(() => import('#client/features/accounts/provider-page.tsx')),
  verifyEmail: later(() => import('#client/features/accounts/verify-email-page.tsx')),
  changeEmail: later(() => import('#client/features/accounts/confirm-email-page.tsx')),
  undoEmailChange: later(() => import('#client/features/accounts/undo-email-page.tsx')),
  secureAccount: later(() => import('#client/features/accounts/secure-account-page.tsx')),
  stopFactorReset: later(() => import('#client/features/accounts/stop-factor-reset-page.tsx')),
  completeProfile: later(() => import('#client/features/accounts/complete-profile-page.tsx')),
  home: later(() => import('#client/app/home-page.tsx')),
  subscribe: later(() => import('#client/features/subscriptions/subscribe/subscribe-page.tsx')),
  profile: later(() => import('#client/features/accounts/profile-page.tsx')),
  admin: later(() => import('#client/features/admin/admin-page.tsx')),
  adminRoom: later(() => import('#client/features/admin/room-page.tsx')),
  adminTeam: later(() => import('#client/features/admin/people/team-page.tsx')),
  adminUser: later(() => import('#client/features/admin/people/person-page.tsx')),
  adminTool: later(() => import('#client/app/admin-tool-page.tsx')),
  developers: later(() => import('#client/features/developers/developers-page.tsx')),
  teams: later(() => import('#client/app/teams-page.tsx')),
  packs: later(() => import('#client/features/evidence/packs-page.tsx')),
  verifyPack: later(() => import('#client/features/evidence/verify-page.tsx')),
  open: later(() => import('#client/features/tools/open-page.tsx')),
  recalls: later(() => import('#client/features/record/recalls-page.tsx')),
  record: later(() => import('#client/features/record/record-page.tsx')),
  disclosure: later(() => import('#client/features/record/disclosure-page.tsx')),
  invoices: later(() => import('#client/features/billing/invoices-page.tsx')),
  help: later(() => import('#client/features/site/help-page.tsx')),
  makers: later(() => import('#client/features/site/makers-page.tsx')),
  privacy: later(() => import('#client/features/site/privacy-page.tsx')),
  security: later(() => import('#client/features/site/security-page.tsx')),
  terms: later(() => import('#client/features/site/terms-page.tsx')),
  tool: later(() => import('#client/features/site/tool-page.tsx')),
  resetPassword: later(() => import('#client/features/accounts/reset-password-page.tsx')),
  acceptInvitation: later(() => import('#client/features/teams/accept-invitation-page.tsx')),
  unsubscribe: later(() => import('#client/features/notifications/unsubscribe-page.tsx')),
  bookkeeperLink: later(() => import('#client/features/billing/bookkeeper-link-page.tsx')),
  setupAdmin: later(() => import('#client/features/accounts/setup-admin-page.tsx')),
  adminReplit: later(() => import('#client/features/accounts/admin-replit-page.tsx')),
} satisfies Record<string, Page>;
export type PageName = keyof typeof pages;
