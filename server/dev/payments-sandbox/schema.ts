import fs from 'node:fs';
import { createRequire } from 'node:module';
import type { StripeSchema } from './generate-schema.ts';

/** A file of this folder, found from the bundled server (dist/) as well, where import.meta.dirname is another. */
export const readOwnFile = (name: string): string =>
  fs.readFileSync(createRequire(import.meta.url).resolve(`#server/dev/payments-sandbox/${name}`), 'utf8');

// read at run time, not imported: the compiler would otherwise type a quarter of a megabyte of JSON
export const schema = JSON.parse(readOwnFile('stripe-schema.json')) as StripeSchema;
export const { apiVersion } = schema;
