import { dashboardParts } from '#shared/api/dashboard.ts';
import { contract } from '#shared/api/index.ts';
import type { Context } from '#server/platform/context.ts';
import { implement, readOf, Written } from '#server/platform/implement.ts';

/** `GET /api/dashboard`: each part comes from the handler of its own call. All run at once, so that they share what they read. */
export const dashboardRoutes = (context: Context) =>
  implement(
    contract.dashboard,
    {
      show: async ({ request }) => {
        const parts = Object.entries(dashboardParts).map(
          async ([part, { path }]) => `"${part}":${await readOf(context, path)!(request, {})}`,
        );
        return new Written(`{${(await Promise.all(parts)).join()}}`);
      },
    },
    context,
  );
