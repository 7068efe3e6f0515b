import type { Server } from 'node:http';
import type { Express } from 'express';
import type { PageData } from '#shared/api/page-data.ts';
import { addresses, listTools, tiersNow, toolTexts } from '#server/catalogue/service.ts';
import { disclosureOf } from '#server/record/service.ts';
import { offeredIn } from '#server/platform/env-sign-in.ts';
import type { Context } from '#server/platform/context.ts';
import { pick } from '#server/platform/data/database.ts';
import { createOwnAnswers } from './own-answers.ts';
import type { Reads } from '#server/platform/http/implement.ts';
import { serveBuiltPages, serveDevelopmentPages } from '#server/platform/pages/spa.ts';

/** What a tool's page for visitors says of it. */
async function about(context: Context, toolId: string): Promise<NonNullable<PageData['about']>> {
  const [texts, { isOurs, version, madeAt, answers }] = await Promise.all([
    toolTexts(context, toolId),
    disclosureOf(context, null, toolId),
  ]);
  return { toolId, texts, supplied: { isOurs, version, madeAt: madeAt?.toISOString() ?? null, answers } };
}

/** What visitors' pages show of the catalogue as it is in the database now; `toolId`: with what that tool's page needs, if it is offered. */
export async function pageData(context: Context, toolId?: string): Promise<PageData> {
  const [listed, discounts] = await Promise.all([listTools(context), tiersNow(context)]);
  const tools = addresses.shown(context, listed);
  const offered = tools.some(({ id, closed, isActive }) => id === toolId && isActive && !closed);
  return {
    ...(offered && toolId && { about: await about(context, toolId) }),
    tools: tools
      .filter(({ closed }) => !closed)
      .map((tool) => pick(tool, 'id', 'name', 'description', 'basePrice', 'comingSoon', 'icon')),
    seller: context.env.seller,
    claims: context.env.claims,
    providers: context.env.providers,
    signInWith: offeredIn(context.env.identityClients),
    tiers: discounts.map(({ toolCount, discountPercent }) => ({ toolCount, discountPercent })),
  };
}

/** The built pages: in production, and for the browser journeys. */
export const builtPages = (app: Express, _server: Server, context: Context, reads: Reads) => {
  serveBuiltPages(app, {
    env: context.env,
    log: context.log,
    data: (toolId) => pageData(context, toolId),
    own: createOwnAnswers(context, reads),
  });
  return Promise.resolve(undefined);
};

/** The pages through Vite, which picks up edits. */
export const developmentPages = (app: Express, _server: Server, context: Context) =>
  serveDevelopmentPages(app, context.env);
