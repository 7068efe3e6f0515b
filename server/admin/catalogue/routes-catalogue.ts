import type { RequestHandler } from 'express';
import { contract } from '#shared/api/index.ts';
import { settingsListed } from '#shared/rules/tools/tool-settings.ts';
import { toolSettings } from '#server/catalogue/service.ts';
import type { Context } from '#server/platform/context.ts';
import { implement } from '#server/platform/http/implement.ts';
import { previewPrice, pricesOf, setToolPrice, withdrawToolPrice } from './tool-price.ts';
import { makeSecretFor, revokeSecretOf, showTool } from './tool.ts';

export const catalogueRoutes = (context: Context): RequestHandler =>
  implement(
    contract.catalogue,
    {
      tool: ({ params }, ctx) => showTool(ctx, params.toolId),
      addTool: async ({ actor, body }, ctx) => ({ id: await toolSettings.addTool(ctx, actor, body) }),
      changeTool: async ({ actor, params, body }, ctx) => {
        const names = await toolSettings.changeSettings(ctx, actor, params.toolId, body);
        return { message: `Changed: ${settingsListed(names)}. Everybody sees it from now on.` };
      },
      makeSecret: async ({ params, body }, ctx) => ({
        secret: await makeSecretFor(ctx, params.toolId, body.kind, body.name),
      }),
      revokeSecret: async ({ params }, ctx) => {
        await revokeSecretOf(ctx, params.toolId, params.id);
        return { message: 'The secret was revoked.' };
      },
      prices: ({ params }, ctx) => pricesOf(ctx, params.toolId),
      previewPrice: ({ params, query }, ctx) => previewPrice(ctx, params.toolId, query.priceCents),
      setPrice: async ({ actor, params, body }, ctx) => {
        await setToolPrice(ctx, actor, params.toolId, body);
        return {
          message:
            body.startsOn === undefined
              ? 'New subscriptions cost the new price. Those who have it keep theirs.'
              : 'New subscriptions cost the new price. Those who have it are being told.',
        };
      },
      withdrawPrice: async ({ actor, params, body }, ctx) => {
        await withdrawToolPrice(ctx, actor, params.toolId, body);
        return { message: 'The price was taken back. Those who were told of it are being told so.' };
      },
    },
    context,
  );
