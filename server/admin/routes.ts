import type { RequestHandler } from 'express';
import { contract } from '#shared/api/index.ts';
import { askForReset, demandPassword, endSessionsOf, reinstate, suspend } from '#server/accounts/service.ts';
import { approve, listOffered, listRequests, promote, refuse, setClosed, tryOut } from '#server/developers/service.ts';
import { listedPeople } from '#server/people/service.ts';
import { billingForecast, toldBills } from '#server/subscriptions/service.ts';
import type { Context } from '#server/platform/context.ts';
import { issueCsrfToken } from '#server/platform/http/csrf.ts';
import { done, implement } from '#server/platform/http/implement.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import { isWithin } from '#server/platform/http/networks.ts';
import { generateApiKey, listApiKeys, revokeApiKey } from './people/api-keys.ts';
import { auditCsv, listAudit } from './incidents/audit-log.ts';
import { businessCsv } from './business/business-csv.ts';
import { showBusiness } from './business/business.ts';
import { changeFreeAccess, userForecast } from './people/free-access.ts';
import { listIncidents, unpaidBills } from './incidents/incident-list.ts';
import { confirmErasureIncident, replayIncident, settleIncident } from './incidents/incidents.ts';
import { openPayer, showPerson, userTimeline } from './people/person.ts';
import { anyTeamPayer, listTeams, showTeam, teamTimeline } from './people/team.ts';
import { askForPassword, grantFreeAccess, refuseOwnTool } from './acts/people.ts';
import { actRoutes, approvalRoutes } from './routes-acts.ts';
import { catalogueRoutes, codeRoutes, offerRoutes } from './catalogue/routes-catalogue.ts';
import { listUsers, usageStats } from './people/users.ts';

/** Refuses the administrators' area to callers outside the allowed networks; without a list, refuses nobody. */
export const adminNetworks =
  ({ env: { adminNetworks: allowed } }: Context): RequestHandler =>
  (req, _res, next) => {
    if (allowed && !isWithin(allowed, req.ip)) throw new AppError('admin_network');
    next();
  };

export function adminRoutes(context: Context): RequestHandler[] {
  const people = implement(
    contract.admin,
    {
      csrfToken: async ({ request }) => ({ csrfToken: await issueCsrfToken(request) }),
      users: ({ query }, ctx) => listUsers(ctx, query),
      subscriberStats: (_input, { db }) => listedPeople.counts(db),
      usageStats: ({ query }, ctx) => usageStats(ctx, query),
      apiKeys: ({ query }, ctx) => listApiKeys(ctx, query.search),
      user: ({ params }, ctx) => showPerson(ctx, params.id),
      userTimeline: ({ params, query }, ctx) => userTimeline(ctx, params.id, query),
      teams: ({ query }, ctx) => listTeams(ctx, query),
      team: ({ params }, ctx) => showTeam(ctx, params.id),
      teamTimeline: ({ params, query }, ctx) => teamTimeline(ctx, params.id, query),
      teamForecast: async ({ params }, ctx) => billingForecast(ctx, await anyTeamPayer(ctx, params.id)),
      teamTold: async ({ params, query }, ctx) => toldBills.toldOf(ctx, await anyTeamPayer(ctx, params.id), query.page),
      userTold: async ({ params, query }, ctx) => toldBills.toldOf(ctx, await openPayer(ctx, params.id), query.page),
      userForecast: ({ params }, ctx) => userForecast(ctx, params.id),
      grantFreeAccess: async ({ body }, ctx) => ({ message: await grantFreeAccess(ctx, body.userId, body.reason) }),
      revokeFreeAccess: (input, ctx) => done(changeFreeAccess(ctx, input.body.userId, false), 'Free access revoked'),
      resetPassword: async ({ body }, ctx) => ({ message: await askForPassword(ctx, body) }),
      resetFactors: ({ body }, ctx) =>
        done(
          askForReset(ctx, body.userId),
          'The verification methods will be removed in 24 hours. The user was told and can object.',
        ),
      suspend: async ({ body }, ctx) => {
        const closed = await suspend(ctx, body);
        const also = closed.length > 0 ? ` Closed to new subscribers: ${closed.join(', ')}.` : '';
        return { message: `The user was suspended.${also}` };
      },
      reinstate: ({ body }, ctx) => done(reinstate(ctx, body), 'The user was reinstated.'),
      endSessions: ({ body }, ctx) => done(endSessionsOf(ctx, body), 'Every session of the user was ended.'),
      demandPassword: ({ body }, ctx) =>
        done(demandPassword(ctx, body), 'The user was signed out, and gets a link to choose a new password.'),
      generateApiKey: async (input, ctx) => generateApiKey(ctx, input.body),
      revokeApiKey: (input, ctx) => done(revokeApiKey(ctx, input.params.id), 'API key revoked successfully'),
    },
    context,
  );
  const oversight = implement(
    contract.oversight,
    {
      audit: ({ query }, ctx) => listAudit(ctx, query),
      auditCsv: ({ query }, ctx) => Promise.resolve(auditCsv(ctx, query)),
      incidents: (_input, ctx) => listIncidents(ctx),
      unpaidBills: (_input, ctx) => unpaidBills(ctx),
      replay: (input, ctx) => done(replayIncident(ctx, input.params.id), 'Replay started'),
      settle: ({ params, body }, ctx) => done(settleIncident(ctx, params.id, body.reason), 'The incident is settled.'),
      confirmErasure: ({ params, body }, ctx) =>
        done(confirmErasureIncident(ctx, params.id, body), 'The erasure is confirmed.'),
    },
    context,
  );
  const publications = implement(
    contract.publications,
    {
      list: (_input, ctx) => listRequests(ctx),
      promote: async ({ params, body }, ctx) => {
        await refuseOwnTool(ctx, params.toolId);
        return done(promote(ctx, params.toolId, body.requestedAt), 'The new version is live.');
      },
      approve: async ({ params, body }, ctx) => {
        await refuseOwnTool(ctx, params.toolId);
        return done(approve(ctx, params.toolId, body), 'The tool is in the catalogue.');
      },
      tryOut: ({ params }, ctx) => tryOut(ctx, params.toolId),
      refuse: ({ params, body }, ctx) =>
        done(refuse(ctx, params.toolId, body.reason), 'The tool was refused. Its maker reads why.'),
      offered: (_input, ctx) => listOffered(ctx),
      close: ({ params, body }, ctx) =>
        done(
          setClosed(ctx, params.toolId, true, body.reason),
          'The tool is closed to new subscribers. Those who have it go on.',
        ),
      reopen: async ({ params, body }, ctx) => {
        await refuseOwnTool(ctx, params.toolId);
        return done(setClosed(ctx, params.toolId, false, body.reason), 'The tool is open to new subscribers again.');
      },
    },
    context,
  );
  const business = implement(
    contract.business,
    {
      show: ({ query }, ctx) => showBusiness(ctx, query),
      csv: ({ query }, ctx) => businessCsv(ctx, query.table),
    },
    context,
  );
  return [
    people,
    actRoutes(context),
    approvalRoutes(context),
    oversight,
    publications,
    business,
    catalogueRoutes(context),
    offerRoutes(context),
    codeRoutes(context),
  ];
}
