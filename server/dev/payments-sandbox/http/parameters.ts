import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import qs from 'qs';
import type { Operation } from '../operations.ts';
import { schema, type JsonSchema } from '../schema/schema.ts';
import { required, SandboxError, unrecognized } from './error.ts';

/** Compiles a part of the schema when it is first needed; with `coerceTypes` a form's text becomes a number or boolean. */
export function createValidator(coerceTypes: boolean) {
  const ajv = new Ajv({ strict: false, allErrors: true, coerceTypes });
  ajv.addSchema({ $id: 'stripe', definitions: schema.definitions });
  const compiled = new Map<JsonSchema, ValidateFunction>();
  return (part: JsonSchema): ValidateFunction => {
    const text = () => JSON.stringify(part).replaceAll('"#/definitions/', '"stripe#/definitions/');
    const validate = compiled.get(part) ?? ajv.compile(JSON.parse(text()) as JsonSchema);
    compiled.set(part, validate);
    return validate;
  };
}
const formValidator = createValidator(true);

const routes = Object.entries(schema.operations).map(([operation, { method, path }]) => ({
  operation: operation as Operation,
  method,
  pattern: new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
}));

/** The first operation of this method and path. */
export function findRoute(method: string, path: string): { operation: Operation; ids: Record<string, string> } {
  for (const route of routes) {
    const match = route.method === method && route.pattern.exec(path);
    if (match) return { operation: route.operation, ids: { ...match.groups } };
  }
  throw unrecognized(method, path);
}

export function parseForm(form: string): Record<string, unknown> {
  if (/%00|\0/.test(form)) throw new SandboxError('Invalid request: it contains a NUL character.');
  return qs.parse(form, { depth: 10, arrayLimit: 1000, parameterLimit: 1000 });
}

/** `/items/0/price` as Stripe writes it: items[0][price] */
function paramName(pointer: string, last?: string): string {
  const [first = '', ...rest] = [...pointer.split('/').slice(1), ...(last ? [last] : [])];
  return first + rest.map((part) => `[${part}]`).join('');
}

const weights: Record<string, number> = { additionalProperties: 4, enum: 2, required: 3, type: 1 };
const weight = ({ keyword, instancePath }: ErrorObject) => (weights[keyword] ?? 0) + instancePath.split('/').length * 5;

function refusal(errors: ErrorObject[]): SandboxError {
  const error = errors.reduce((worst, next) => (weight(next) > weight(worst) ? next : worst));
  const details = error.params as { additionalProperty?: string; missingProperty?: string; allowedValues?: unknown[] };
  const param = paramName(error.instancePath, details.additionalProperty ?? details.missingProperty);
  if (details.additionalProperty)
    return new SandboxError(`Received unknown parameter: ${param}`, { code: 'parameter_unknown', param });
  if (details.missingProperty) return required(param);
  const allowed = details.allowedValues ? `: must be one of ${details.allowedValues.join(', ')}` : '';
  return new SandboxError(`Invalid ${param}${allowed || ` (${error.message ?? 'wrong type'})`}`, { param });
}

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
function checkTexts(operation: Operation, params: Record<string, unknown>): void {
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

/** The parameters with numbers and booleans in their own types; throws what Stripe would answer. */
export function checkParams(operation: Operation, params: Record<string, unknown>): Record<string, unknown> {
  const validate = formValidator(schema.operations[operation]!.params);
  if (!validate(params)) throw refusal(validate.errors ?? []);
  checkTexts(operation, params);
  return params;
}
