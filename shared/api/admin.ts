import * as z from 'zod';
import { defineApi } from './endpoint.ts';

export const adminApi = defineApi({
  csrfToken: {
    method: 'GET',
    path: '/api/admin/csrf-token',
    access: 'admin',
    summary: 'The token every administrative write carries',
    response: z.object({ csrfToken: z.string() }),
  },
});
