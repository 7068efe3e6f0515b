/** What another company may do for us, and what it gets to see by it. */
const duties = {
  hosting: 'runs our servers, database and backups, and so holds everything that we store',
  payments: 'handles payments: your name, email address, phone, ABN, billing address and card',
  mail: 'delivers our messages: your name, email address and what they say',
  monitoring: 'receives measurements of our servers, without names',
  timestamps: 'confirms when an evidence pack was made; it gets a checksum only',
} as const;
export type Duty = keyof typeof duties;

/** Somebody who works for us, as the operator configured it (`PROVIDERS`). */
export type Provider = { duty: Duty; name: string; countries: string };

const form = /^(\w+):\s*([^;:()]+?)\s*\(([^;:()]+)\)$/;

/** Reads "hosting: Example Cloud (Australia); payments: Stripe (Australia, United States)"; null where it isn't of this form. */
export function parseProviders(text: string): Provider[] | null {
  const parts = text.split(';').flatMap((part) => part.trim() || []);
  const found = parts.map((part) => form.exec(part));
  if (!found.every((match) => match !== null && Object.hasOwn(duties, match[1]!))) return null;
  return found.map((match) => ({ duty: match![1] as Duty, name: match![2]!, countries: match![3]! }));
}

/** Writes what `parseProviders` reads. */
export const writeProviders = (providers: readonly Provider[]): string =>
  providers.map(({ duty, name, countries }) => `${duty}: ${name} (${countries})`).join('; ');

/** The duties that a production server always gives to somebody. */
const needed = ['hosting', 'payments', 'mail'] as const;
export const missingProviders = (providers: readonly Provider[]): Duty[] =>
  needed.filter((duty) => !providers.some((provider) => provider.duty === duty));

export const providerSentence = ({ duty, name, countries }: Provider) => `${name} (${countries}) ${duties[duty]}.`;
