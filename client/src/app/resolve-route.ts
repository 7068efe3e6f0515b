import type { PageName } from '#client/app/pages.ts';
import { identityProviders } from '#shared/rules/people/identities.ts';
import { deskRoomNames, paths } from '#client/lib/pages/paths.ts';

/** What is known about the person. `failed` means the server could not say, which is not the same as signed out. */
export type Situation = 'loading' | 'failed' | 'signed-out' | 'incomplete' | 'complete';

export type Resolution =
  | { show: 'page'; page: PageName; params: Record<string, string> }
  | { show: 'spinner' | 'failure' | 'landing' | 'not-found' }
  | { show: 'redirect'; to: string };

const publicPages: Partial<Record<string, PageName>> = {
  [paths.auth]: 'auth',
  [paths.resetPassword]: 'resetPassword',
  [paths.setupAdmin]: 'setupAdmin',
  [paths.adminReplit]: 'adminReplit',
  [paths.privacy]: 'privacy',
  [paths.securityPage]: 'security',
  [paths.terms]: 'terms',
  [paths.help]: 'help',
  [paths.verifyEmail]: 'verifyEmail',
  [paths.changeEmail]: 'changeEmail',
  [paths.undoEmailChange]: 'undoEmailChange',
  [paths.secureAccount]: 'secureAccount',
  [paths.stopFactorReset]: 'stopFactorReset',
  [paths.acceptInvitation]: 'acceptInvitation',
  [paths.unsubscribe]: 'unsubscribe',
  [paths.confirmBookkeeper]: 'bookkeeperLink',
  [paths.stopBookkeeper]: 'bookkeeperLink',
  [paths.verifyPack]: 'verifyPack',
};

const memberPages: Partial<Record<string, PageName>> = {
  [paths.home]: 'home',
  [paths.dashboard]: 'home',
  [paths.profile]: 'profile',
  [paths.admin]: 'admin',
  [paths.teams]: 'teams',
  [paths.packs()]: 'packs',
  [paths.record]: 'record',
  [paths.recalls()]: 'recalls',
  [paths.developers()]: 'developers',
  [paths.invoices]: 'invoices',
  [paths.billingHistory]: 'invoices',
};

const page = (name: PageName, params: Record<string, string> = {}): Resolution => ({
  show: 'page',
  page: name,
  params,
});

const toolIdIn = (path: string, pattern: RegExp) => {
  const segment = pattern.exec(path)?.[1];
  try {
    return segment && decodeURIComponent(segment);
  } catch {
    return undefined;
  }
};

export const resolveRoute = (situation: Situation, location: string): Resolution => {
  const path = location.length > 1 ? location.replace(/\/+$/, '') || '/' : location;
  const open = publicPages[path];
  if (open) return page(open);
  const provider = identityProviders.find((one) => path === paths.signedInWith(one));
  if (provider) return page('provider', { provider });
  if (situation === 'loading') return { show: 'spinner' };
  if (situation === 'failed') return { show: 'failure' };
  const described = toolIdIn(path, /^\/tools\/([^/]+)$/);
  if (situation === 'signed-out') {
    if (described) return page('tool', { toolId: described });
    return path === paths.developers() ? page('makers') : { show: 'landing' };
  }
  const completing = path === paths.completeProfile;
  if (situation === 'incomplete') {
    // The maker of a tool need not be an adviser.
    if (path === paths.developers()) return page('developers');
    return completing ? page('completeProfile') : { show: 'redirect', to: paths.completeProfile };
  }
  if (completing) return { show: 'redirect', to: paths.home };
  const member = memberPages[path];
  if (member) return page(member);
  const room = deskRoomNames.find((name) => path === paths.desk(name));
  if (room) return page('adminRoom', { room });
  const userId = /^\/admin\/users\/([\da-f-]{36})$/.exec(path)?.[1];
  if (userId) return page('adminUser', { userId });
  const adminTeamId = /^\/admin\/teams\/([\da-f-]{36})$/.exec(path)?.[1];
  if (adminTeamId) return page('adminTeam', { teamId: adminTeamId });
  const managed = /^\/admin\/tools\/([a-z0-9-]{1,64})$/.exec(path)?.[1];
  if (managed) return page('adminTool', { toolId: managed });
  if (described) return page('disclosure', { toolId: described });
  const opened = toolIdIn(path, /^\/open\/([^/]+)$/);
  if (opened) return page('open', { toolId: opened });
  const toolId = toolIdIn(path, /^\/subscribe\/([^/]+)$/);
  return toolId ? page('subscribe', { toolId }) : { show: 'not-found' };
};
