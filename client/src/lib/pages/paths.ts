/** The rooms of the administrators' area, beside /admin itself. */
export const deskRoomNames = ['today', 'people', 'practices', 'catalogue', 'pricing', 'business', 'audit'] as const;
export type DeskRoom = (typeof deskRoomNames)[number];

/** Every path of the app. Those of API calls are in the contract. */
export const paths = {
  home: '/',
  dashboard: '/dashboard',
  notifications: '/dashboard?tab=notifications',
  auth: '/auth',
  signUp: '/auth?tab=sign-up',
  /** Leads on to the page that sells the tool. */
  signUpFor: (toolId: string) => `/auth?tab=sign-up&returnTo=${encodeURIComponent(`/subscribe/${toolId}`)}`,
  /** Where Microsoft and Google send people back to. */
  signedInWith: (provider: string) => `/auth/${provider}`,
  completeProfile: '/complete-profile',
  /** Card, address and invoices of the adviser, or of a team they own. */
  billing: (teamId?: string | null) => (teamId ? `/teams?team=${teamId}&tab=billing` : '/dashboard?tab=billing'),
  profile: '/profile',
  security: '/profile?tab=security',
  admin: '/admin',
  desk: (room: DeskRoom) => `/admin/${room}`,
  adminTeam: (teamId: string) => `/admin/teams/${teamId}`,
  adminTool: (toolId: string) => `/admin/tools/${toolId}`,
  adminUser: (userId: string) => `/admin/users/${userId}`,
  /** The maker's page of one tool, or of all of them. */
  developers: (toolId?: string) => (toolId ? `/developers?tool=${toolId}` : '/developers'),
  teams: '/teams',
  packs: (teamId?: string) => (teamId ? `/record/packs?team=${teamId}` : '/record/packs'),
  verifyPack: '/record/verify',
  record: '/record',
  /** Sessions to look at again: one's own, or a practice's. */
  recalls: (teamId?: string) => (teamId ? `/record/recalls?team=${teamId}` : '/record/recalls'),
  /** What a tool's maker says about it. */
  disclosure: (toolId: string) => `/tools/${encodeURIComponent(toolId)}`,
  subscribe: (toolId: string) => `/subscribe/${encodeURIComponent(toolId)}`,
  /** Opens a tool for a client, whom the link names after a # (lib/session/opened-for.ts). */
  open: (toolId: string) => `/open/${encodeURIComponent(toolId)}`,
  invoices: '/invoices',
  billingHistory: '/billing-history',
  help: '/help',
  privacy: '/privacy',
  securityPage: '/security',
  claim: (about: string) => `/security#${about}`,
  terms: '/terms',
  resetPassword: '/reset-password',
  verifyEmail: '/verify-email',
  changeEmail: '/change-email',
  undoEmailChange: '/undo-email-change',
  secureAccount: '/secure-account',
  stopFactorReset: '/stop-factor-reset',
  acceptInvitation: '/accept-invitation',
  unsubscribe: '/unsubscribe',
  confirmBookkeeper: '/bookkeeper/confirm',
  stopBookkeeper: '/bookkeeper/stop',
  setupAdmin: '/setup-admin',
  adminReplit: '/admin-replit',
} as const;

/** Redirects to /auth and back. A path of the server, not of the app: it needs a page load. */
export const serverLogin = (returnTo: string) => `/api/login?returnTo=${encodeURIComponent(returnTo)}`;

/** Null unless it is a path of this site that does not lead back to signing in. */
export const safeReturnTo = (value: string | null | undefined): string | null => {
  if (!value?.startsWith('/') || /^\/[/\\]|[\\\p{Cc}]/u.test(value)) return null;
  const path = value.split(/[?#]/, 1)[0] ?? '';
  const loops = [paths.auth, paths.completeProfile].some((each) => path === each);
  return loops || path.startsWith('/api/') ? null : value;
};

/** Whether somebody came to make tools; they need not be an adviser. */
export const isMaker = (returnTo: string | null) => returnTo?.split(/[?#]/, 1)[0] === paths.developers();

/** Where somebody goes who has just signed in or up. */
export const onwardFrom = (returnTo: string | null, { profileCompleted }: { profileCompleted: boolean }) =>
  profileCompleted || isMaker(returnTo) ? (returnTo ?? paths.home) : withReturnTo(paths.completeProfile, returnTo);

/** Where somebody makes an account, and goes on from there. */
export const signUpFor = (returnTo: string) => `${paths.auth}?tab=sign-up&returnTo=${encodeURIComponent(returnTo)}`;

/** Adds the page to open after signing in, unless that is home. */
export const withReturnTo = (path: string, returnTo: string | null) => {
  const safe = safeReturnTo(returnTo);
  return safe && safe !== paths.home ? `${path}?returnTo=${encodeURIComponent(safe)}` : path;
};
