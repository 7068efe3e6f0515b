/** Every path of the app (A §2, decisions §2). The calls' paths are the contract's. */
export const paths = {
  home: '/',
  dashboard: '/dashboard',
  notifications: '/dashboard?tab=notifications',
  auth: '/auth',
  signUp: '/auth?tab=sign-up',
  completeProfile: '/complete-profile',
  profile: '/profile',
  admin: '/admin',
  teams: '/teams',
  subscribe: (toolId: string) => `/subscribe/${encodeURIComponent(toolId)}`,
  invoices: '/invoices',
  billingHistory: '/billing-history',
  help: '/help',
  privacy: '/privacy',
  resetPassword: '/reset-password',
  verifyEmail: '/verify-email',
  acceptInvitation: '/accept-invitation',
  unsubscribe: '/unsubscribe',
  setupAdmin: '/setup-admin',
  adminReplit: '/admin-replit',
} as const;

/** The server's login path: it leads to /auth and back (decisions §2). Not a path of the app: it needs a page load. */
export const serverLogin = (returnTo: string) => `/api/login?returnTo=${encodeURIComponent(returnTo)}`;

/** A path of this site to go to afterwards; anything else, and a path that would lead nowhere new, is null. */
export const safeReturnTo = (value: string | null | undefined): string | null => {
  if (!value?.startsWith('/') || /^\/[/\\]|[\\\p{Cc}]/u.test(value)) return null;
  const path = value.split(/[?#]/, 1)[0] ?? '';
  const loops = [paths.auth, paths.completeProfile].some((each) => path === each);
  return loops || path.startsWith('/api/') ? null : value;
};

/** The address with where to go afterwards; home needs no mention. */
export const withReturnTo = (path: string, returnTo: string | null) => {
  const safe = safeReturnTo(returnTo);
  return safe && safe !== paths.home ? `${path}?returnTo=${encodeURIComponent(safe)}` : path;
};
