import * as z from 'zod';
import { identityProviders } from '#shared/rules/people/identities.ts';
import { secondStep, signedIn } from './accounts.ts';
import { defineApi } from './endpoint.ts';
import { date } from './fields.ts';

const provider = z.enum(identityProviders, { error: 'Please choose Microsoft or Google' });
const there = z.object({ url: z.string() });

const identity = z.object({ id: z.string(), provider, createdAt: date });
export type Identity = z.output<typeof identity>;

/** Nobody's yet: it is connected once somebody signs in with this address, or makes an account with it, in this browser. */
const toConnect = z.object({
  connect: z.object({ email: z.string(), firstName: z.string(), lastName: z.string(), hasAccount: z.boolean() }),
});
export type ToConnect = z.output<typeof toConnect>['connect'];

/** Sign-in with Microsoft or Google (OpenID Connect), in the place of the password. Both send people back to `/auth/PROVIDER`. */
export const identitiesApi = defineApi('signedIn', {
  begin: {
    route: 'POST /api/login/provider',
    access: 'public',
    summary: 'Where to sign in at Microsoft or Google',
    body: z.strictObject({ provider }),
    response: there,
  },
  finish: {
    route: 'POST /api/login/provider/finish',
    access: 'public',
    summary: 'Sign in, or connect, with the answer that the browser came back with, once, within ten minutes',
    body: z.strictObject({
      provider,
      /** The query of the address, as it is. */
      query: z.string().max(8000),
    }),
    response: z.union([secondStep, toConnect, signedIn]),
  },
  list: {
    route: 'GET /api/user/identities',
    summary: 'The Microsoft and Google accounts that sign one in',
    response: z.object({
      identities: z.array(identity),
      /** The teams whose tools stay shut in this session, since it did not begin with their Microsoft account. */
      demandedBy: z.array(z.string()),
    }),
  },
  connect: {
    route: 'POST /api/user/identities',
    proof: 'always',
    summary: 'Where to sign in at Microsoft or Google to connect an account there, which has the same address',
    body: z.strictObject({ provider }),
    response: there,
  },
  remove: {
    route: 'DELETE /api/user/identities/:id',
    proof: 'always',
    summary: 'Disconnect a Microsoft or Google account',
  },
});
