import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import qs from 'qs';
import type { Operation } from '../operations.ts';
import { schema, type JsonSchema } from '../schema/schema.ts';
import { required, SandboxError } from './error.ts';

const compiler = (coerceTypes: boolean) =>
  new Ajv({ strict: false, allErrors: true, coerceTypes }).addSchema({
    $id: 'stripe',
    definitions: schema.definitions,
  });
const forms = compiler(true);
const answers = compiler(false);
const compiled = new Map<JsonSchema, ValidateFunction>();

function validator(ajv: Ajv, part: JsonSchema): ValidateFunction {
  const known = compiled.get(part);
  if (known) return known;
  const text = JSON.stringify(part).replaceAll('"#/definitions/', '"stripe#/definitions/');
  const made = ajv.compile(JSON.parse(text) as JsonSchema);
  compiled.set(part, made);
  return made;
}

const routes = Object.entries(schema.operations).map(([operation, { method, path }]) => ({
  operation: operation as Operation,
  method,
  // a fixed word beats a variable: in /v1/invoices/create_preview there is no invoice's id
  fixed: !path.includes('{'),
  pattern: new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
}));
routes.sort((a, b) => Number(b.fixed) - Number(a.fixed));

type Route = { operation: Operation; ids: Record<string, string> };

export function findRoute(method: string, path: string): Route {
  for (const route of routes) {
    const match = route.method === method && route.pattern.exec(path);
    if (match) {
      const ids = Object.entries(match.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]);
      return { operation: route.operation, ids: Object.fromEntries(ids) };
    }
  }
  throw new SandboxError(`Unrecognized request URL (${method}: ${path}).`, { status: 404 });
}

export function parseForm(form: string): Record<string, unknown> {
  if (/%00|\0/.test(form)) throw new SandboxError('Invalid request: it contains a NUL character.');
  return qs.parse(form, { depth: 10, arrayLimit: 1000, parameterLimit: 1000 });
}

/** `/items/0/price` as Stripe writes it: items[0][price] */
const paramName = (pointer: string, last?: string) =>
  [...pointer.split('/').slice(1), ...(last ? [last] : [])].reduce(
    (name, part) => (name ? `${name}[${part}]` : part),
    '',
  );

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

/** The parameters with numbers and booleans in their own types; throws what Stripe would answer. */
export function checkParams(operation: Operation, params: Record<string, unknown>): Record<string, unknown> {
  const validate = validator(forms, schema.operations[operation]!.params);
  if (!validate(params)) throw refusal(validate.errors ?? []);
  return params;
}

/** What is wrong with an answer, by the SDK's types; empty when it is right. */
export function answerFaults(operation: Operation, body: unknown): string[] {
  const validate = validator(answers, schema.operations[operation]!.response);
  return validate(body)
    ? []
    : (validate.errors ?? []).map((e) => `${e.instancePath} ${e.message} ${JSON.stringify(e.params)}`);
}
