import { type ComponentType, lazy, type LazyExoticComponent } from 'react';
import type { PageName } from '#client/app/resolve-route.ts';

/** A page is the default export of its file and gets the parameters of its path. */
export type PageProps = { params: Record<string, string> };
type Page = { load: () => Promise<unknown>; Component: LazyExoticComponent<ComponentType<PageProps>> };

const page = (load: () => Promise<{ default: ComponentType<PageProps> }>): Page => ({ load, Component: lazy(load) });

export const landingPage = page(() => import('#client/features/site/landing-page.tsx'));

export const pages: Record<PageName, Page> = {
  auth: page(() => import('#client/features/accounts/auth-page.tsx')),
  verifyEmail: page(() => import('#client/features/accounts/verify-email-page.tsx')),
  completeProfile: page(() => import('#client/features/accounts/complete-profile-page.tsx')),
  home: page(() => import('#client/app/home.tsx')),
  subscribe: page(() => import('#client/features/subscriptions/subscribe-page.tsx')),
  profile: page(() => import('#client/features/accounts/profile-page.tsx')),
  admin: page(() => import('#client/features/admin/admin-page.tsx')),
  teams: page(() => import('#client/app/teams.tsx')),
  invoices: page(() => import('#client/features/billing/invoices-page.tsx')),
  help: page(() => import('#client/features/site/help-page.tsx')),
  privacy: page(() => import('#client/features/site/privacy-page.tsx')),
  resetPassword: page(() => import('#client/features/accounts/reset-password-page.tsx')),
  acceptInvitation: page(() => import('#client/features/teams/accept-invitation-page.tsx')),
  unsubscribe: page(() => import('#client/features/notifications/unsubscribe-page.tsx')),
  setupAdmin: page(() => import('#client/features/accounts/setup-admin-page.tsx')),
  adminReplit: page(() => import('#client/features/accounts/admin-replit-page.tsx')),
};
