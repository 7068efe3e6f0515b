/**
 * Derives stripe-schema.json (what each call accepts and answers) from the type declarations of the installed `stripe`
 * package, so that the sandbox is held to exactly the API version the SDK speaks.
 * Run: npx tsx server/dev/payments-sandbox/testing/generate.ts
 */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { operations } from '../operations.ts';
import { prefixes } from '../store/objects.ts';
import type { JsonSchema, StripeSchema } from '../schema/schema.ts';

/** Other resources of Stripe are never read here: their id is enough. */
const ownKinds = new Set([...Object.keys(prefixes), 'account']);

const listOf = (items: JsonSchema): JsonSchema => ({
  type: 'object',
  required: ['object', 'data', 'has_more', 'url'],
  properties: { data: { type: 'array', items } },
});

/** TypeScript types to JSON schema; `leftOut` names properties that are not described at all. */
function createTypeConverter(checker: ts.TypeChecker, leftOut: Set<string>) {
  const definitions: Record<string, JsonSchema> = {};

  function unite(parts: ts.Type[]): JsonSchema | null {
    const literals = new Set<string | number | boolean>();
    const branches: JsonSchema[] = [];
    let open = false;
    for (const part of parts) {
      const isOpen = part.isIntersection() && part.types.some((inner) => inner.flags & ts.TypeFlags.String);
      open ||= isOpen;
      const branch = isOpen ? null : convert(part);
      for (const literal of branch?.enum ?? []) literals.add(literal);
      if (branch && !branch.enum) branches.push(branch);
    }
    if (literals.has(true) && literals.has(false)) {
      branches.push({ type: 'boolean' });
      for (const literal of [true, false]) literals.delete(literal);
    }
    if (literals.size)
      branches.push({ enum: [...literals].toSorted((a, b) => String(a).localeCompare(String(b), 'en')) });
    else if (open) branches.push({ type: 'string' });
    // the order decides what a form's text becomes where several types fit: a listed word, then text, then the rest
    const rank = (branch: JsonSchema) => (branch.enum ? 0 : branch.type === 'string' ? 1 : 2);
    branches.sort((a, b) => rank(a) - rank(b));
    return branches.length > 1 ? { anyOf: branches } : (branches[0] ?? null);
  }

  function objectOf(type: ts.Type): JsonSchema {
    const properties: Record<string, JsonSchema> = {};
    const required: string[] = [];
    const described = checker.getPropertiesOfType(type).filter(({ name }) => !leftOut.has(name));
    for (const property of described) {
      const schema = convert(checker.getTypeOfSymbol(property));
      if (!schema) continue;
      properties[property.name] = schema;
      if (!(property.flags & ts.SymbolFlags.Optional)) required.push(property.name);
    }
    const index = checker.getIndexInfoOfType(type, ts.IndexKind.String);
    const isPruned = described.length < checker.getPropertiesOfType(type).length;
    const others = index ? (convert(index.type) ?? true) : isPruned;
    return { type: 'object', properties, ...(required.length ? { required } : {}), additionalProperties: others };
  }

  function isForeign(type: ts.Type): boolean {
    const kind = type.getProperty('object');
    const literal = kind && checker.getTypeOfSymbol(kind);
    return !!literal?.isStringLiteral() && !ownKinds.has(literal.value);
  }

  function convert(type: ts.Type): JsonSchema | null {
    const is = (flag: ts.TypeFlags) => (type.flags & flag) !== 0;
    if (is(ts.TypeFlags.Void | ts.TypeFlags.Undefined | ts.TypeFlags.Never)) return null;
    if (is(ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return {};
    if (is(ts.TypeFlags.Null)) return { type: 'null' };
    if (type.isStringLiteral() || type.isNumberLiteral()) return { enum: [type.value] };
    if (is(ts.TypeFlags.BooleanLiteral)) return { enum: [checker.typeToString(type) === 'true'] };
    if (is(ts.TypeFlags.String)) return { type: 'string' };
    if (is(ts.TypeFlags.Number)) return { type: 'number' };
    const symbol = type.aliasSymbol ?? type.getSymbol();
    const name = symbol?.getName() ?? '';
    // only the envelope of an event: what it carries is checked as the object it is
    if (name === 'Event')
      return { type: 'object', required: ['id', 'object', 'api_version', 'created', 'data', 'type'] };
    if (name.startsWith('Decimal') || (type.isIntersection() && checker.typeToString(type).includes('Decimal')))
      return { type: ['string', 'number'] };
    if (type.isIntersection()) return { type: 'string' };
    if (type.isUnion()) return unite(type.types);
    const [argument] = checker.getTypeArguments(type as ts.TypeReference);
    if (checker.isArrayType(type) && argument) return { type: 'array', items: convert(argument) ?? {} };
    if (name === 'ApiList' && argument) return listOf(convert(argument) ?? {});
    if (isForeign(type)) return { type: 'object', required: ['id', 'object'] };
    return symbol && symbol.flags & ts.SymbolFlags.Interface ? define(symbol, type) : objectOf(type);
  }

  function define(symbol: ts.Symbol, type: ts.Type): JsonSchema {
    const name = checker
      .getFullyQualifiedName(symbol)
      .replace(/^".*"\.?/, '')
      .replace(/\W/g, '_');
    if (!definitions[name]) {
      definitions[name] = {};
      definitions[name] = objectOf(type);
    }
    return { $ref: `#/definitions/${name}` };
  }

  const at = (node: ts.TypeNode) => convert(checker.getNonNullableType(checker.getTypeFromTypeNode(node))) ?? {};
  /** Promise<Response<T>> or ApiListPromise<T> */
  function answer(node: ts.TypeReferenceNode): JsonSchema {
    const [first] = node.typeArguments ?? [];
    if (first && node.typeName.getText().startsWith('ApiList')) return listOf(at(first));
    const inner = first && ts.isTypeReferenceNode(first) ? first.typeArguments?.[0] : undefined;
    if (!inner) throw new Error(`no answer type in ${node.getText()}`);
    return at(inner);
  }
  return { definitions, params: at, answer };
}

const packageDirectory = path.join(path.dirname(createRequire(import.meta.url).resolve('stripe')), '..');
const read = (file: string) => fs.readFileSync(path.join(packageDirectory, file), 'utf8');
const declarationsOf = (resource: string) => path.join(packageDirectory, 'esm/resources', `${resource}.d.ts`);

/** The HTTP method and path a resource's method sends, read from the SDK's own code. */
function endpointOf(resource: string, method: string): { method: string; path: string } {
  const call = new RegExp(`\\n    ${method}\\([^)]*\\) \\{[\\s\\S]*?_makeRequest\\('(\\w+)', ['\`]([^'\`]+)['\`]`);
  const [, verb, template] = call.exec(read(`esm/resources/${resource}.js`)) ?? [];
  if (!verb || !template) throw new Error(`the stripe SDK has no request in ${method}()`);
  return { method: verb, path: template.replace(/\$\{encodeURIComponent\((\w+)\)\}/g, '{$1}') };
}

const named = <N extends ts.Node & { name?: ts.Node }>(nodes: readonly N[], name: string): N => {
  const found = nodes.find((node) => node.name?.getText() === name);
  if (!found) throw new Error(`the stripe SDK declares no ${name}`);
  return found;
};

export function generateSchema(): StripeSchema {
  const names = Object.keys(operations).map((operation) => operation.split('.') as [resource: string, method: string]);
  const program = ts.createProgram([...new Set(names.map(([resource]) => declarationsOf(resource)))], {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    strict: true,
    skipLibCheck: true,
    types: [],
  });
  const checker = program.getTypeChecker();
  const statements = (resource: string): readonly ts.Statement[] =>
    program.getSourceFile(declarationsOf(resource))?.statements ?? [];
  // ways to pay other than by card: their details are nowhere in this product
  const method = named(statements('PaymentMethods').filter(ts.isInterfaceDeclaration), 'PaymentMethod');
  const ways = checker.getTypeOfSymbol(checker.getTypeAtLocation(method).getProperty('type')!) as ts.UnionType;
  const others = ways.types.flatMap((way) => (way.isStringLiteral() && way.value !== 'card' ? [way.value] : []));
  const converter = createTypeConverter(checker, new Set(others));
  const schema: StripeSchema = {
    apiVersion: /ApiVersion = '([^']+)'/.exec(read('esm/apiVersion.js'))?.[1] ?? '',
    sdk: `stripe@${(JSON.parse(read('package.json')) as { version: string }).version}`,
    operations: {},
    definitions: converter.definitions,
  };
  for (const [resource, name] of names) {
    const methods = statements(resource)
      .filter(ts.isClassDeclaration)
      .flatMap(({ members }) => members.filter(ts.isMethodDeclaration));
    const { type: answer, parameters } = named(methods, name);
    if (!answer || !ts.isTypeReferenceNode(answer)) throw new Error(`no answer of ${resource}.${name} in the SDK`);
    const parameter = parameters.find((candidate) => candidate.name.getText() === 'params');
    schema.operations[`${resource}.${name}`] = {
      ...endpointOf(resource, name),
      params: parameter?.type ? converter.params(parameter.type) : { type: 'object', additionalProperties: false },
      response: converter.answer(answer),
    };
  }
  return schema;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  fs.writeFileSync(
    path.join(import.meta.dirname, '../schema/stripe-schema.json'),
    `${JSON.stringify(generateSchema())}\n`,
  );
