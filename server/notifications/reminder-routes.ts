import { contract } from '#shared/api/index.ts';
import type { Context } from '#server/platform/context.ts';
import { implement } from '#server/platform/implement.ts';
import { saveSettings, settingsOf } from './queries-settings.ts';
import { unsubscribe } from './unsubscribe.ts';

export const reminderRoutes = (context: Context) =>
  implement(
    contract.reminders,
    {
      settings: ({ actor }, ctx) => settingsOf(ctx.db, actor.id),
      save: async ({ actor, body }, ctx) => {
        await saveSettings(ctx.db, actor.id, body);
        return settingsOf(ctx.db, actor.id);
      },
      unsubscribe: ({ query, body }, ctx) => unsubscribe(ctx, body.token ?? query.token),
    },
    context,
  );
