import * as z from 'zod';
import { type IdentityProvider, identityProviders } from '#shared/rules/people/identities.ts';

const names = { microsoft: 'MICROSOFT', google: 'GOOGLE' } as const satisfies Record<IdentityProvider, string>;
const issuers = { microsoft: 'https://login.microsoftonline.com/common/v2.0', google: 'https://accounts.google.com' };

const text = z.string().optional();
const issuer = z
  .url({ protocol: /^https?$/, error: 'must be an address such as https://login.example/v2.0' })
  .refine(
    (url) => /^(https:|http:\/\/(localhost|127\.0\.0\.1)[:/])/.test(url),
    'must begin with https:// (http is for this machine only)',
  )
  .optional();

export const signInVariables = {
  MICROSOFT_CLIENT_ID: text,
  MICROSOFT_CLIENT_SECRET: text,
  MICROSOFT_ISSUER: issuer,
  GOOGLE_CLIENT_ID: text,
  GOOGLE_CLIENT_SECRET: text,
  GOOGLE_ISSUER: issuer,
};

/** Where a provider of identities is, and who we are there. */
export type IdentityClient = { issuer: string; clientId: string; clientSecret: string };
export type IdentityClients = Partial<Record<IdentityProvider, IdentityClient>>;

/** Those that have a button. */
export const offeredIn = (clients: IdentityClients): IdentityProvider[] =>
  identityProviders.filter((provider) => clients[provider]);

type Given = { [name in keyof typeof signInVariables]?: string | undefined };

/** Those for which there is an id and a secret. */
export function identityClientsOf(given: Given): IdentityClients {
  const clients: IdentityClients = {};
  for (const provider of identityProviders) {
    const clientId = given[`${names[provider]}_CLIENT_ID`];
    const clientSecret = given[`${names[provider]}_CLIENT_SECRET`];
    const issuerGiven = given[`${names[provider]}_ISSUER`];
    if (clientId && clientSecret)
      clients[provider] = { issuer: issuerGiven ?? issuers[provider], clientId, clientSecret };
  }
  return clients;
}

export const signInFaults = (source: Given): string[] =>
  Object.values(names)
    .filter((name) => !source[`${name}_CLIENT_ID`] !== !source[`${name}_CLIENT_SECRET`])
    .map((name) => `${name}_CLIENT_ID and ${name}_CLIENT_SECRET must be set together, or neither`);
