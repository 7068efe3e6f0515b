/** Who else can sign a person in, in the order of the buttons. */
export const identityProviders = ['microsoft', 'google'] as const;
export type IdentityProvider = (typeof identityProviders)[number];

export const identityProviderNames = { microsoft: 'Microsoft', google: 'Google' } satisfies Record<
  IdentityProvider,
  string
>;
