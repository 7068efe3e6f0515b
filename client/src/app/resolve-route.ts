import { paths } from '#client/lib/paths.ts';

/** What is known of who is asking. `failed`: the server could not say, which is never "signed out". */
export type Situation = 'loading' | 'failed' | 'signed-out' | 'incomplete' | 'complete';

export type PageName =
  | 'auth'
  | 'resetPassword'
  | 'setupAdmin'
  | 'adminReplit'
  | 'privacy'
  | 'help'
  | 'verifyEmail'
  | 'acceptInvitation'
  | 'unsubscribe'
  | 'completeProfile'
  | 'home'
  | 'profile'
  | 'admin'
  | 'teams'
  | 'subscribe'
  | 'invoices';

export type Resolution =
  | { show: 'page'; page: PageName; params: Record<string, string> }
  | { show: 'spinner' | 'failure' | 'landing' | 'not-found' }
  | { show: 'redirect'; to: string };

const always: Record<string, PageName> = {
  [paths.auth]: 'auth',
  [paths.resetPassword]: 'resetPassword',
  [paths.setupAdmin]: 'setupAdmin',
  [paths.adminReplit]: 'adminReplit',
  [paths.privacy]: 'privacy',
  [paths.help]: 'help',
  [paths.verifyEmail]: 'verifyEmail',
  [paths.acceptInvitation]: 'acceptInvitation',
  [paths.unsubscribe]: 'unsubscribe',
};

const members: Record<string, PageName> = {
  [paths.home]: 'home',
  [paths.dashboard]: 'home',
  [paths.profile]: 'profile',
  [paths.admin]: 'admin',
  [paths.teams]: 'teams',
  [paths.invoices]: 'invoices',
  [paths.billingHistory]: 'invoices',
};

const page = (name: PageName, params: Record<string, string> = {}): Resolution => ({
  show: 'page',
  page: name,
  params,
});

const toolOf = (path: string) => {
  const segment = /^\/subscribe\/([^/]+)$/.exec(path)?.[1];
  try {
    return segment && decodeURIComponent(segment);
  } catch {
    return undefined;
  }
};

/** The route table (A §2, decisions §2): who sees what at which path. */
export const resolveRoute = (situation: Situation, location: string): Resolution => {
  const path = location.length > 1 ? location.replace(/\/+$/, '') || '/' : location;
  const open = always[path];
  if (open) return page(open);
  if (situation === 'loading') return { show: 'spinner' };
  if (situation === 'failed') return { show: 'failure' };
  if (situation === 'signed-out') return { show: 'landing' };
  const completing = path === paths.completeProfile;
  if (situation === 'incomplete') {
    return completing ? page('completeProfile') : { show: 'redirect', to: paths.completeProfile };
  }
  if (completing) return { show: 'redirect', to: paths.home };
  const member = members[path];
  if (member) return page(member);
  const toolId = toolOf(path);
  return toolId ? page('subscribe', { toolId }) : { show: 'not-found' };
};
