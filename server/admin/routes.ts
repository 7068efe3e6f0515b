import type { RequestHandler } from 'express';
import { contract } from '#shared/api/index.ts';
import { askForReset, demandPassword, endSessionsOf, reinstate, suspend } from '#server/accounts/service.ts';
import { approve, listOffered, listRequests, refuse, setClosed, tryOut } from '#server/developers/service.ts';
import type { Context } from '#server/platform/context.ts';
import { issueCsrfToken } from '#server/platform/http/csrf.ts';
import { implement } from '#server/platform/http/implement.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import { isWithin } from '#server/platform/http/networks.ts';
import { generateApiKey, listApiKeys, revokeApiKey } from './people/api-keys.ts';
import { auditCsv, listAudit } from './incidents/audit-log.ts';
import { businessCsv } from './business/business-csv.ts';
import { showBusiness } from './business/business.ts';
import { changeFreeAccess, userForecast } from './people/free-access.ts';
import { listIncidents } from './incidents/incident-list.ts';
import { confirmErasureIncident, replayIncident, settleIncident } from './incidents/incidents.ts';
import { showPerson, userTimeline, userTold } from './people/person.ts';
import { findTeams, showTeam, teamForecast, teamTimeline, teamTold } from './people/team.ts';
import { askForPassword, grantFreeAccess } from './acts/people.ts';
import { actRoutes, approvalRoutes } from './routes-acts.ts';
import { codeRoutes } from './catalogue/codes.ts';
import { offerRoutes } from './catalogue/offers.ts';
import { catalogueRoutes } from './catalogue/routes-catalogue.ts';
import { counts } from './people/queries-users.ts';
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
      subscriberStats: (_input, { db }) => counts(db),
      usageStats: ({ query }, ctx) => usageStats(ctx, query),
      apiKeys: ({ query }, ctx) => listApiKeys(ctx, query.search),
      user: ({ params }, ctx) => showPerson(ctx, params.id),
      userTimeline: ({ params, query }, ctx) => userTimeline(ctx, params.id, query),
      teams: ({ query }, ctx) => findTeams(ctx, query.search),
      team: ({ params }, ctx) => showTeam(ctx, params.id),
      teamTimeline: ({ params, query }, ctx) => teamTimeline(ctx, params.id, query),
      teamForecast: ({ params }, ctx) => teamForecast(ctx, params.id),
      teamTold: ({ params, query }, ctx) => teamTold(ctx, params.id, query.page),
      userTold: ({ params, query }, ctx) => userTold(ctx, params.id, query.page),
      userForecast: ({ params }, ctx) => userForecast(ctx, params.id),
      grantFreeAccess: async ({ body }, ctx) => ({ message: await grantFreeAccess(ctx, body.userId, body.reason) }),
      revokeFreeAccess: async (input, ctx) => {
        await changeFreeAccess(ctx, input.body.userId, false);
        return { message: 'Free access revoked' };
      },
      resetPassword: async ({ body }, ctx) => ({ message: await askForPassword(ctx, body) }),
      resetFactors: async ({ body }, ctx) => {
        await askForReset(ctx, body.userId);
        return { message: 'The second factors will be removed in 24 hours. The user was told and can object.' };
      },
      suspend: async ({ body }, ctx) => {
        const closed = await suspend(ctx, body);
        const also = closed.length > 0 ? ` Closed to new subscribers: ${closed.join(', ')}.` : '';
        return { message: `The user was suspended.${also}` };
      },
      reinstate: async ({ body }, ctx) => {
        await reinstate(ctx, body);
        return { message: 'The user was reinstated.' };
      },
      endSessions: async ({ body }, ctx) => {
        await endSessionsOf(ctx, body);
        return { message: 'Every session of the user was ended.' };
      },
      demandPassword: async ({ body }, ctx) => {
        await demandPassword(ctx, body);
        return { message: 'The user has to choose a new password at the next sign-in.' };
      },
      generateApiKey: async (input, ctx) => generateApiKey(ctx, input.body),
      revokeApiKey: async (input, ctx) => {
        await revokeApiKey(ctx, input.params.id);
        return { message: 'API key revoked successfully' };
      },
    },
    context,
  );
  const oversight = implement(
    contract.oversight,
    {
      audit: ({ query }, ctx) => listAudit(ctx, query),
      auditCsv: ({ query }, ctx) => Promise.resolve(auditCsv(ctx, query)),
      incidents: (_input, ctx) => listIncidents(ctx),
      replay: async (input, ctx) => {
        await replayIncident(ctx, input.params.id);
        return { message: 'Replay started' };
      },
      settle: async ({ params, body }, ctx) => {
        await settleIncident(ctx, params.id, body.reason);
        return { message: 'The incident is settled.' };
      },
      confirmErasure: async ({ params, body }, ctx) => {
        await confirmErasureIncident(ctx, params.id, body);
        return { message: 'The erasure is confirmed.' };
      },
    },
    context,
  );
  const publications = implement(
    contract.publications,
    {
      list: (_input, ctx) => listRequests(ctx),
      approve: async ({ params, body }, ctx) => {
        await approve(ctx, params.toolId, body.priceCents, body.requestedAt);
        return { message: 'The tool is in the catalogue.' };
      },
      tryOut: ({ params }, ctx) => tryOut(ctx, params.toolId),
      refuse: async ({ params, body }, ctx) => {
        await refuse(ctx, params.toolId, body.reason);
        return { message: 'The tool was refused. Its maker reads why.' };
      },
      offered: (_input, ctx) => listOffered(ctx),
      close: async ({ params, body }, ctx) => {
        await setClosed(ctx, params.toolId, true, body.reason);
        return { message: 'The tool is closed to new subscribers. Those who have it go on.' };
      },
      reopen: async ({ params, body }, ctx) => {
        await setClosed(ctx, params.toolId, false, body.reason);
        return { message: 'The tool is open to new subscribers again.' };
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
