import { dashboardParts } from '#shared/api/dashboard.ts';
import type { Reply } from '#shared/api/endpoint.ts';
import { contract } from '#shared/api/index.ts';
import type { Context } from '#server/platform/context.ts';
import { implement, readOf } from '#server/platform/implement.ts';

/** `GET /api/dashboard`: every part by the handler of its own call, all at once, so that parts share what they read. */
export const dashboardRoutes = (context: Context) =>
  implement(
    contract.dashboard,
    {
      show: async ({ request }) => {
        const parts = Object.entries(dashboardParts).map(
          async ([part, { path }]) => [part, await readOf(context, path)!.answer(request, {})] as const,
        );
        return Object.fromEntries(await Promise.all(parts)) as Reply<typeof contract.dashboard.show>;
      },
    },
    context,
  );
