import { contract } from '#shared/api/index.ts';
import { createApi } from '#client/lib/calls/api.ts';

/** Every call there is, for the pages of administrators and makers of tools. */
export const api = createApi(contract);
