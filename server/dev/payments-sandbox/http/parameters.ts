import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import qs from 'qs';
import type { Operation } from '../operations.ts';
import { schema, type JsonSchema } from '../schema/schema.ts';
import { required, SandboxError, unrecognized } from './error.ts';
import { checkTexts } from './limits.ts';

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

/** The parameters with numbers and booleans in their own types; throws what Stripe would answer. */
export function checkParams(operation: Operation, params: Record<string, unknown>): Record<string, unknown> {
  const validate = formValidator(schema.operations[operation]!.params);
  if (!validate(params)) throw refusal(validate.errors ?? []);
  checkTexts(operation, params);
  return params;
}
