import fs from 'node:fs';
import { createRequire } from 'node:module';

export type JsonSchema = {
  type?: string | string[];
  enum?: (string | number | boolean)[];
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  $ref?: string;
};
export type StripeSchema = {
  apiVersion: string;
  sdk: string;
  /** operation → how it is called and which schemas hold for it */
  operations: Record<string, { method: string; path: string; params: JsonSchema; response: JsonSchema }>;
  definitions: Record<string, JsonSchema>;
};

/** A file of the package, by the package's name: the bundled server has another folder. */
export const readOwnFile = (name: string): string =>
  fs.readFileSync(createRequire(import.meta.url).resolve(`payments-sandbox/${name}`), 'utf8');

// read at run time, not imported: the compiler would otherwise type a quarter of a megabyte of JSON
export const schema = JSON.parse(readOwnFile('schema/stripe-schema.json')) as StripeSchema;
export const { apiVersion } = schema;
