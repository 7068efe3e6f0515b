import { contract } from '#shared/api/index.ts';
import type { Context } from '#server/platform/context.ts';
import { issueCsrfToken } from '#server/platform/csrf.ts';
import { implement } from '#server/platform/implement.ts';

export const adminRoutes = (context: Context) =>
  implement(
    contract.admin,
    { csrfToken: async ({ request }) => ({ csrfToken: await issueCsrfToken(request) }) },
    context,
  );
