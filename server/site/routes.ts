import { contract } from '#shared/api/index.ts';
import type { Context } from '#server/platform/context.ts';
import { implement } from '#server/platform/implement.ts';
import { contact } from './contact.ts';

export const siteRoutes = (context: Context) =>
  implement(
    contract.site,
    {
      contact: async ({ actor, body, request }, ctx) => {
        await contact(ctx, actor, body, request);
        return { message: 'Thank you. Your message was sent, and we answer within 24 hours.' };
      },
    },
    context,
  );
