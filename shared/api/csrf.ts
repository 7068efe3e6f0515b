import * as z from 'zod';
import { defineApi } from './endpoint.ts';

/** In the body of every write by an administrator; the server takes it out before parsing the rest. */
export const csrf = { _csrf: z.string().max(200).optional() };

export const csrfApi = defineApi({
  csrfToken: {
    method: 'GET',
    path: '/api/admin/csrf-token',
    access: 'admin',
    summary: 'The token every administrative write carries',
    response: z.object({ csrfToken: z.string() }),
  },
});
