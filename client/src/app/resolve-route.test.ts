import { describe, expect, it } from 'vitest';
import { type Resolution, resolveRoute, type Situation } from '#client/app/resolve-route.ts';

const situations: Situation[] = ['loading', 'failed', 'signed-out', 'incomplete', 'complete'];
const brief = (resolution: Resolution) => {
  if (resolution.show === 'page') return resolution.page;
  return resolution.show === 'redirect' ? `→ ${resolution.to}` : resolution.show;
};

describe('route table, always available', () => {
  it.each([
    ['/auth', 'auth'],
    ['/reset-password', 'resetPassword'],
    ['/setup-admin', 'setupAdmin'],
    ['/admin-replit', 'adminReplit'],
    ['/privacy', 'privacy'],
    ['/security', 'security'],
    ['/terms', 'terms'],
    ['/help', 'help'],
    ['/verify-email', 'verifyEmail'],
    ['/change-email', 'changeEmail'],
    ['/undo-email-change', 'undoEmailChange'],
    ['/secure-account', 'secureAccount'],
    ['/stop-factor-reset', 'stopFactorReset'],
    ['/accept-invitation', 'acceptInvitation'],
    ['/unsubscribe', 'unsubscribe'],
    ['/bookkeeper/confirm', 'bookkeeperLink'],
    ['/bookkeeper/stop', 'bookkeeperLink'],
    ['/record/verify', 'verifyPack'],
    ['/auth/', 'auth'],
  ])('%s is %s in every situation', (path, name) => {
    for (const situation of situations) expect(brief(resolveRoute(situation, path))).toBe(name);
  });
});

describe('route table, every other path', () => {
  const toProfile = '→ /complete-profile';
  it.each([
    // path, loading, failed, signed out, profile incomplete, profile complete
    ['/', 'spinner', 'failure', 'landing', toProfile, 'home'],
    ['/dashboard', 'spinner', 'failure', 'landing', toProfile, 'home'],
    ['/dashboard/', 'spinner', 'failure', 'landing', toProfile, 'home'],
    ['/complete-profile', 'spinner', 'failure', 'landing', 'completeProfile', '→ /'],
    ['/profile', 'spinner', 'failure', 'landing', toProfile, 'profile'],
    ['/admin', 'spinner', 'failure', 'landing', toProfile, 'admin'],
    ['/admin/users/7f6d33a2-95c7-4b7a-9a8f-2f7a7a1d9f11', 'spinner', 'failure', 'landing', toProfile, 'adminUser'],
    ['/admin/today', 'spinner', 'failure', 'landing', toProfile, 'adminRoom'],
    ['/admin/audit/', 'spinner', 'failure', 'landing', toProfile, 'adminRoom'],
    ['/admin/tomorrow', 'spinner', 'failure', 'landing', toProfile, 'not-found'],
    ['/admin/teams/7f6d33a2-95c7-4b7a-9a8f-2f7a7a1d9f11', 'spinner', 'failure', 'landing', toProfile, 'adminTeam'],
    ['/admin/users/somebody', 'spinner', 'failure', 'landing', toProfile, 'not-found'],
    ['/teams', 'spinner', 'failure', 'landing', toProfile, 'teams'],
    ['/record/packs', 'spinner', 'failure', 'landing', toProfile, 'packs'],
    ['/record', 'spinner', 'failure', 'landing', toProfile, 'record'],
    ['/tools/file-note-ai', 'spinner', 'failure', 'tool', toProfile, 'disclosure'],
    ['/tools', 'spinner', 'failure', 'landing', toProfile, 'not-found'],
    ['/developers', 'spinner', 'failure', 'makers', 'developers', 'developers'],
    ['/invoices', 'spinner', 'failure', 'landing', toProfile, 'invoices'],
    ['/billing-history', 'spinner', 'failure', 'landing', toProfile, 'invoices'],
    ['/subscribe/file-note-ai', 'spinner', 'failure', 'landing', toProfile, 'subscribe'],
    ['/open/file-note-ai', 'spinner', 'failure', 'landing', toProfile, 'open'],
    ['/subscribe', 'spinner', 'failure', 'landing', toProfile, 'not-found'],
    ['/subscribe/', 'spinner', 'failure', 'landing', toProfile, 'not-found'],
    ['/subscribe/%', 'spinner', 'failure', 'landing', toProfile, 'not-found'],
    ['/subscribe/a/b', 'spinner', 'failure', 'landing', toProfile, 'not-found'],
    ['/nowhere', 'spinner', 'failure', 'landing', toProfile, 'not-found'],
    ['/constructor', 'spinner', 'failure', 'landing', toProfile, 'not-found'],
  ])('%s', (path, ...expected) => {
    expect(situations.map((situation) => brief(resolveRoute(situation, path)))).toEqual(expected);
  });

  it.each([
    ['Auth state loading', 'loading', ['/', '/profile', '/nowhere', '/complete-profile'], 'spinner'],
    ['Unauthenticated', 'signed-out', ['/', '/profile', '/admin', '/nowhere', '/complete-profile'], 'landing'],
    ['Authenticated, profile incomplete', 'incomplete', ['/complete-profile'], 'completeProfile'],
    ['Authenticated, profile incomplete', 'incomplete', ['/', '/admin', '/teams', '/nowhere'], toProfile],
    ['Authenticated, profile complete', 'complete', ['/'], 'home'],
    ['Authenticated, profile complete', 'complete', ['/nowhere', '/teams/1', '/ADMIN'], 'not-found'],
  ] as const)('%s (%s), %j: %s', (_row, situation, every, shown) => {
    for (const path of every) expect(brief(resolveRoute(situation, path))).toBe(shown);
  });
});

it('hands the tool of a subscribe path on', () => {
  expect(resolveRoute('complete', '/subscribe/pre-fill-ai')).toMatchObject({ params: { toolId: 'pre-fill-ai' } });
});
