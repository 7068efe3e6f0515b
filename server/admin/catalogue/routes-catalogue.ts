import type { RequestHandler } from 'express';
import { contract } from '#shared/api/index.ts';
import { formatSydneyDate } from '#shared/rules/dates.ts';
import { settingsListed } from '#shared/rules/tools/tool-settings.ts';
import { codes, toolSettings } from '#server/catalogue/service.ts';
import { announcementsFor } from '#server/record/service.ts';
import type { Context } from '#server/platform/context.ts';
import { done, implement } from '#server/platform/http/implement.ts';
import { refuseOwnTool } from '../acts/people.ts';
import { listCodes, listRedemptions } from './codes.ts';
import { previewPrice, pricesOf, setToolPrice, withdrawToolPrice } from './tool-price.ts';
import { announceOurs, discloseOurs, makeSecretFor, revokeSecretOf, showTool } from './tool.ts';
import { previewTiers, setTiers, showTiers, withdrawTiers } from './volume-discounts.ts';

export const catalogueRoutes = (context: Context): RequestHandler =>
  implement(
    contract.catalogue,
    {
      tool: ({ params }, ctx) => showTool(ctx, params.toolId),
      addTool: async ({ actor, body }, ctx) => ({ id: await toolSettings.addTool(ctx, actor, body) }),
      changeTool: async ({ actor, params, body }, ctx) => {
        await refuseOwnTool(ctx, params.toolId);
        const names = await toolSettings.changeSettings(ctx, actor, params.toolId, body);
        return { message: `Changed: ${settingsListed(names)}. Everybody sees it from now on.` };
      },
      makeSecret: async ({ params, body }, ctx) => ({
        secret: await makeSecretFor(ctx, params.toolId, body.kind, body.name),
      }),
      revokeSecret: ({ params }, ctx) => done(revokeSecretOf(ctx, params.toolId, params.id), 'The secret was revoked.'),
      disclose: ({ actor, params, body }, ctx) => discloseOurs(ctx, actor, params.toolId, body),
      announcements: ({ params }, ctx) => announcementsFor(ctx, params.toolId),
      announce: ({ actor, params, body }, ctx) => announceOurs(ctx, actor, params.toolId, body),
      prices: ({ params }, ctx) => pricesOf(ctx, params.toolId),
      previewPrice: ({ params, query }, ctx) => previewPrice(ctx, params.toolId, query),
      setPrice: ({ actor, params, body }, ctx) =>
        done(
          setToolPrice(ctx, actor, params.toolId, body),
          body.startsOn === undefined
            ? 'New subscriptions cost the new price. Those who have it keep theirs.'
            : 'New subscriptions cost the new price. Those who have it are being told.',
        ),
      withdrawPrice: ({ actor, params, body }, ctx) =>
        done(
          withdrawToolPrice(ctx, actor, params.toolId, body),
          'The price was taken back. Whoever was to pay more is being told so.',
        ),
    },
    context,
  );

export const offerRoutes = (context: Context): RequestHandler =>
  implement(
    contract.offers,
    {
      tiers: (_input, ctx) => showTiers(ctx),
      previewTiers: ({ query }, ctx) => previewTiers(ctx, query),
      setTiers: async ({ actor, body }, ctx) => {
        const { startsAt } = await setTiers(ctx, actor, body);
        return {
          message: startsAt
            ? `The bulk discounts change on ${formatSydneyDate(startsAt)}. Whoever pays more is being told.`
            : 'The bulk discounts hold from now on. Whoever pays less is being told.',
        };
      },
      withdrawTiers: async ({ actor, body }, ctx) => {
        const { standsFrom } = await withdrawTiers(ctx, actor, body);
        const stands = standsFrom ? ` Larger discounts stand, from ${formatSydneyDate(standsFrom)}.` : '';
        return { message: `The change was taken back. Whoever was to pay more is being told so.${stands}` };
      },
    },
    context,
  );

export const codeRoutes = (context: Context): RequestHandler =>
  implement(
    contract.codes,
    {
      list: (_input, ctx) => listCodes(ctx),
      redemptions: ({ params, query }, ctx) => listRedemptions(ctx, params.codeId, query.page),
      make: async ({ actor, body }, ctx) => {
        const { startsAt } = await codes.makeCode(ctx, actor, body);
        return {
          message: `${body.code} can be redeemed from ${startsAt ? formatSydneyDate(startsAt) : 'now on'}.`,
        };
      },
      end: ({ actor, params, body }, ctx) =>
        done(
          codes.endCode(ctx, actor, params.codeId, body.reason),
          'Nobody can redeem it any more. Those who have redeemed it keep it.',
        ),
    },
    context,
  );
