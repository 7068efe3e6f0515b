import { queryOptions, useQuery } from '@tanstack/react-query';
import type { PageData } from '#shared/api/page-data.ts';
import { seller } from '#shared/brand.ts';
import type { subscriptionsApi } from '#shared/api/subscriptions.ts';
import type { ToolTexts } from '#shared/rules/tools/tool-texts.ts';
import type { toolsApi } from '#shared/api/tools.ts';
import { claimsMade, providersNamed } from '#client/lib/session/claims.ts';
import { send } from '#client/lib/calls/request.ts';

const toolsPath = '/api/tools' satisfies (typeof toolsApi)['list']['path'];
const tiersPath = '/api/discounts/tiers' satisfies (typeof subscriptionsApi)['tiers']['path'];

/** Reads without a schema, so that visitors' pages do not need zod. */
const listOf = <T>(answer: unknown) => {
  if (!Array.isArray(answer)) throw new TypeError('not a list');
  return answer as T[];
};

/** Tools and volume discounts for visitors' pages. In pages that the server renders, they are part of the HTML. */
export const offerQuery = queryOptions<PageData>({
  queryKey: [toolsPath, 'offer'],
  queryFn: async ({ signal }) => {
    const [tools, tiers] = await Promise.all([
      send({ method: 'GET', path: toolsPath, read: listOf<PageData['tools'][number]> }, undefined, { signal }),
      send({ method: 'GET', path: tiersPath, read: listOf<PageData['tiers'][number]> }, undefined, { signal }),
    ]);
    return { tools, tiers, seller: seller(), claims: claimsMade(), providers: providersNamed() };
  },
});

export const useOffer = () => useQuery(offerQuery);

/** The texts about a tool, for its dialog. */
export const useToolTexts = (toolId: string) => {
  const path = `${toolsPath}/${toolId}/texts` as const;
  return useQuery({
    queryKey: [path],
    queryFn: ({ signal }) => send({ method: 'GET', path, read: textsIn }, undefined, { signal }),
  });
};
const textsIn = (answer: unknown) => answer as ToolTexts;

/** From the HTML, if the server rendered this page. */
export const givenOffer = (): PageData | undefined => {
  const text = document.getElementById('page-data')?.textContent;
  return text ? (JSON.parse(text) as PageData) : undefined;
};
