import * as z from 'zod';
import { defineAdminApi } from './endpoint.ts';

/** The server takes the token out of a write's body (`_csrf`) or header (`X-CSRF-Token`) before it parses the rest. */
export const csrfApi = defineAdminApi({
  csrfToken: {
    route: 'GET /api/admin/csrf-token',
    summary: 'The token every administrative write carries',
    response: z.object({ csrfToken: z.string() }),
  },
});
