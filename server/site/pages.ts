import type { Server } from 'node:http';
import type { Express } from 'express';
import type { PageData } from '#shared/api/page-data.ts';
import { shownTools, tiersNow } from '#server/catalogue/service.ts';
import type { Context } from '#server/platform/context.ts';
import { createOwnAnswers } from './own-answers.ts';
import type { Reads } from '#server/platform/http/implement.ts';
import { serveBuiltPages, serveDevelopmentPages } from '#server/platform/pages/spa.ts';

/** What visitors' pages show of the catalogue as it is in the database now. */
export async function pageData(context: Context): Promise<PageData> {
  const [tools, discounts] = await Promise.all([shownTools(context), tiersNow(context)]);
  return {
    tools: tools
      .filter(({ closed }) => !closed)
      .map(({ id, name, description, basePrice, comingSoon, icon }) => ({
        id,
        name,
        description,
        basePrice,
        comingSoon,
        icon,
      })),
    seller: context.env.seller,
    claims: context.env.claims,
    providers: context.env.providers,
    tiers: discounts.map(({ toolCount, discountPercent }) => ({ toolCount, discountPercent })),
  };
}

/** The built pages: in production, and for the browser journeys. */
export const builtPages = (app: Express, _server: Server, context: Context, reads: Reads) => {
  serveBuiltPages(app, {
    env: context.env,
    log: context.log,
    data: () => pageData(context),
    own: createOwnAnswers(context, reads),
  });
  return Promise.resolve(undefined);
};

/** The pages through Vite, which picks up edits. */
export const developmentPages = (app: Express, _server: Server, context: Context) =>
  serveDevelopmentPages(app, context.env);
