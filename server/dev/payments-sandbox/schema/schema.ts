import fs from 'node:fs';
import { createRequire } from 'node:module';
import { newId, type Made, type prefixes } from '../store/objects.ts';

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

/** What a field holds of which nothing is said, whatever it belongs to: the sandbox knows no other. */
const usual = {
  billing_mode: { type: 'flexible' },
  billing_scheme: 'per_unit',
  capture_method: 'automatic',
  collection_method: 'charge_automatically',
  confirmation_method: 'automatic',
  currency: 'aud',
  interval: 'month',
  interval_count: 1,
  issuer: { type: 'self' },
  metadata: {},
  usage: 'off_session',
  usage_type: 'licensed',
};

/** Beside those, only a text has to be said. */
type Given = keyof typeof usual;
type Said<T> = T extends readonly (infer E)[]
  ? Said<E>[]
  : T extends object
    ? { [F in keyof T as F extends Given ? never : T[F] extends string ? F : never]: T[F] } & {
        [F in keyof T as F extends Given ? F : T[F] extends string ? never : F]?: Said<T[F]> | undefined;
      }
    : T;
export type Fields<T> = Said<Omit<T, 'id' | 'object' | 'created' | 'metadata'>> & {
  id?: string;
  metadata?: Record<string, string>;
};

const resolve = (part: JsonSchema): JsonSchema =>
  part.$ref ? schema.definitions[part.$ref.replace('#/definitions/', '')]! : part;
const isNullable = ({ type, anyOf = [] }: JsonSchema) => type === 'null' || anyOf.some((one) => one.type === 'null');
const describes = (part: JsonSchema, kind: string) => part.properties?.['object']?.enum?.includes(kind) ?? false;

const nothing: Record<string, () => unknown> = { array: () => [], boolean: () => false, number: () => 0 };

/** Null where a field may hold it, else nothing of its type. */
function emptyOf(described: JsonSchema): unknown {
  const part = resolve(described);
  if (isNullable(part)) return null;
  return part.type === 'object' ? complete({}, part) : nothing[String(part.type)]?.();
}

/** Adds the fields that the SDK's types require, at every depth. */
function complete(value: unknown, described: JsonSchema): unknown {
  const part = resolve(described);
  if (Array.isArray(value)) return part.items ? value.map((entry) => complete(entry, part.items!)) : value;
  if (typeof value !== 'object' || value === null) return value;
  const branches = part.anyOf?.map(resolve).filter(({ properties }) => properties) ?? [];
  const kind = 'object' in value ? String(value.object) : null;
  const branch = branches.find((one) => kind === null || describes(one, kind));
  if (branch) return complete(value, branch);
  const fields: Record<string, unknown> = { ...value };
  for (const [name, property] of Object.entries(part.properties ?? {})) {
    if (fields[name] !== undefined) fields[name] = complete(fields[name], property);
    else if (part.required?.includes(name))
      fields[name] = complete(usual[name as Given], property) ?? emptyOf(property);
  }
  return fields;
}

/** A Stripe object made at `at` (seconds): with a new id unless it is given, and nothing wherever nothing is said. */
export function newObject<K extends keyof typeof prefixes>(kind: K, at: number, said: Fields<Made[K]>): Made[K] {
  const [, definition] =
    Object.entries(schema.definitions).find(([name, part]) => !name.startsWith('Deleted') && describes(part, kind)) ??
    [];
  if (!definition) throw new Error(`the stripe SDK describes no ${kind}`);
  const dated = definition.required?.includes('created') && { created: at };
  return complete({ id: newId(kind), object: kind, ...dated, ...said }, definition) as Made[K];
}
