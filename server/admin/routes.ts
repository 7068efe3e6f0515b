import { Router } from 'express';
import { contract } from '#shared/api/index.ts';
import { setPasswordFor } from '#server/accounts/service.ts';
import type { Context } from '#server/platform/context.ts';
import { issueCsrfToken } from '#server/platform/csrf.ts';
import { implement } from '#server/platform/implement.ts';
import { consume } from '#server/platform/rate-limit.ts';
import { generateApiKey, listApiKeys, revokeApiKey } from './api-keys.ts';
import { auditCsv, listAudit } from './audit-log.ts';
import { byOf, type By } from './by.ts';
import { changeFreeAccess } from './free-access.ts';
import { listIncidents, replayIncident } from './incidents.ts';
import { listUsers, subscriberStats, usageStats } from './users.ts';

/** Who writes, once it is sure that they do not write too often (decisions §16). */
async function writer(context: Context, input: Parameters<typeof byOf>[0]): Promise<By> {
  await consume(context, 'adminWrites', input.actor.id);
  return byOf(input);
}

export function adminRoutes(context: Context): Router {
  const people = implement(
    contract.admin,
    {
      csrfToken: async ({ request }) => ({ csrfToken: await issueCsrfToken(request) }),
      users: ({ query }, ctx) => listUsers(ctx, query),
      subscriberStats: (_input, ctx) => subscriberStats(ctx),
      usageStats: ({ query }, ctx) => usageStats(ctx, query),
      apiKeys: ({ query }, ctx) => listApiKeys(ctx, query.search),
      grantFreeAccess: async (input, ctx) => {
        await changeFreeAccess(ctx, await writer(ctx, input), input.body.userId, true);
        return { message: 'Free access granted' };
      },
      revokeFreeAccess: async (input, ctx) => {
        await changeFreeAccess(ctx, await writer(ctx, input), input.body.userId, false);
        return { message: 'Free access revoked' };
      },
      resetPassword: async (input, ctx) => {
        const by = await writer(ctx, input);
        const { userId, newPassword } = input.body;
        await setPasswordFor(ctx, { userId, newPassword, ...by });
        return { message: 'Password reset successfully' };
      },
      generateApiKey: async (input, ctx) => generateApiKey(ctx, await writer(ctx, input), input.body),
      revokeApiKey: async (input, ctx) => {
        await revokeApiKey(ctx, await writer(ctx, input), input.params.id);
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
        await replayIncident(ctx, await writer(ctx, input), input.params.id);
        return { message: 'Replay started' };
      },
    },
    context,
  );
  return Router().use(people, oversight);
}
