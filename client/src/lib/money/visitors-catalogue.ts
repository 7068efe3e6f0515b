import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import type { PageData, Supplied, ToolPageTexts } from '#shared/api/page-data.ts';
import { seller } from '#shared/brand.ts';
import type { subscriptionsApi } from '#shared/api/subscriptions.ts';
import type { toolsApi } from '#shared/api/tools.ts';
import { claimsMade, providersNamed, signInWith } from '#client/lib/session/claims.ts';
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
    return {
      tools,
      tiers,
      seller: seller(),
      claims: claimsMade(),
      providers: providersNamed(),
      signInWith: signInWith(),
    };
  },
});

export const useOffer = () => useQuery(offerQuery);

const queryOfTool = <T>(toolId: string, part: 'texts' | 'disclosure') => {
  const path = `${toolsPath}/${encodeURIComponent(toolId)}/${part}` as const;
  return queryOptions<T>({
    queryKey: [path, 'visitor'],
    queryFn: ({ signal }) => send({ method: 'GET', path, read: (answer) => answer as T }, undefined, { signal }),
  });
};

/** The texts about a tool, for its dialog and its page. */
export const useToolTexts = (toolId: string) => useQuery(queryOfTool<ToolPageTexts>(toolId, 'texts'));

/** What the tool's developer has answered for due diligence. */
export const useSupplied = (toolId: string) => useQuery(queryOfTool<Supplied>(toolId, 'disclosure'));

/** Puts what came with the page where its queries look. */
export const fillOffer = (queryClient: QueryClient, data: PageData) => {
  queryClient.setQueryData(offerQuery.queryKey, data);
  if (!data.about) return;
  const { toolId, texts, supplied } = data.about;
  queryClient.setQueryData(queryOfTool<ToolPageTexts>(toolId, 'texts').queryKey, texts);
  queryClient.setQueryData(queryOfTool<Supplied>(toolId, 'disclosure').queryKey, supplied);
};

/** From the HTML, if the server rendered this page. */
export const givenOffer = (): PageData | undefined => {
  const text = document.getElementById('page-data')?.textContent;
  return text ? (JSON.parse(text) as PageData) : undefined;
};
