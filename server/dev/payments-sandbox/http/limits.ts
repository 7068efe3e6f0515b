import type { Operation } from '../operations.ts';
import { SandboxError } from './error.ts';

const customer: Record<string, number> = { name: 256, email: 512, phone: 20 };

/** How many characters Stripe takes in a text, where that is less than any of ours. */
const longest: Partial<Record<Operation, Record<string, number>>> = {
  'Customers.create': customer,
  'Customers.update': customer,
};

const lengthOf = (text: string) => Array.from(text).length;

/** The domain has a dot, and nothing is outside ASCII. */
const takenAddress = /^[\x21-\x3f\x41-\x7e]+@[a-z\d-]+(\.[a-z\d-]+)+$/i;

function checkMetadata(metadata: unknown): void {
  if (typeof metadata !== 'object' || metadata === null) return;
  const entries = Object.entries(metadata);
  if (entries.length > 50) throw new SandboxError('You can specify up to 50 metadata keys.', { param: 'metadata' });
  for (const [name, value] of entries) {
    if (lengthOf(name) > 40)
      throw new SandboxError(`Metadata keys can have up to 40 characters. Invalid key: ${name}`, { param: 'metadata' });
    if (lengthOf(String(value)) > 500)
      throw new SandboxError('Metadata values can have up to 500 characters.', { param: `metadata[${name}]` });
  }
}

/** Throws what Stripe answers to a text that is too long, or to an address that it does not take. */
export function checkTexts(operation: Operation, params: Record<string, unknown>): void {
  for (const [name, most] of Object.entries(longest[operation] ?? {})) {
    const text = params[name];
    if (typeof text === 'string' && lengthOf(text) > most)
      throw new SandboxError(
        `Invalid string: ${text.slice(0, 10)}...${text.slice(-10)}; must be at most ${most} characters`,
        { param: name },
      );
  }
  const { email, metadata } = params;
  if (operation in longest && typeof email === 'string' && email && !takenAddress.test(email))
    throw new SandboxError(`Invalid email address: ${email}`, { code: 'email_invalid', param: 'email' });
  checkMetadata(metadata);
}
