/**
 * Derives stripe-schema.json (what each call accepts and answers) from the type declarations of the installed `stripe`
 * package, so that the sandbox is held to exactly the API version the SDK speaks.
 * Run: npx tsx server/dev/payments-sandbox/schema/generate.ts
 */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { operations } from '../operations.ts';
import { createTypeConverter, otherPaymentMethods } from './from-types.ts';
import type { StripeSchema } from './schema.ts';

const packageDirectory = path.join(path.dirname(createRequire(import.meta.url).resolve('stripe')), '..');
const resourceFile = (resource: string, ending: string) =>
  path.join(packageDirectory, 'esm', 'resources', `${resource}${ending}`);

/** The HTTP method and path a resource's method sends, read from the SDK's own code. */
function endpointOf(javascript: string, method: string): { method: string; path: string } {
  const call = new RegExp(`\\n    ${method}\\([^)]*\\) \\{[\\s\\S]*?_makeRequest\\('(\\w+)', ['\`]([^'\`]+)['\`]`);
  const [, verb, template] = call.exec(javascript) ?? [];
  if (!verb || !template) throw new Error(`the stripe SDK has no request in ${method}()`);
  return { method: verb, path: template.replace(/\$\{encodeURIComponent\((\w+)\)\}/g, '{$1}') };
}

export function generateSchema(): StripeSchema {
  const names = Object.keys(operations).map((operation) => operation.split('.') as [resource: string, method: string]);
  const resources = [...new Set(names.map(([resource]) => resource))];
  const program = ts.createProgram(
    resources.map((resource) => resourceFile(resource, '.d.ts')),
    {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      strict: true,
      skipLibCheck: true,
      types: [],
    },
  );
  const checker = program.getTypeChecker();
  const statements = (resource: string) => [
    ...(program.getSourceFile(resourceFile(resource, '.d.ts'))?.statements ?? []),
  ];
  const paymentMethod = statements('PaymentMethods')
    .filter(ts.isInterfaceDeclaration)
    .find((declaration) => declaration.name.text === 'PaymentMethod');
  if (!paymentMethod) throw new Error('the stripe SDK declares no PaymentMethod');
  const converter = createTypeConverter(
    checker,
    resources,
    otherPaymentMethods(checker, checker.getTypeAtLocation(paymentMethod)),
  );
  const read = (file: string) => fs.readFileSync(path.join(packageDirectory, file), 'utf8');
  const schema: StripeSchema = {
    apiVersion: /ApiVersion = '([^']+)'/.exec(read('esm/apiVersion.js'))?.[1] ?? '',
    sdk: `stripe@${(JSON.parse(read('package.json')) as { version: string }).version}`,
    operations: {},
    definitions: converter.definitions,
  };
  for (const [resource, name] of names) {
    const member = statements(resource)
      .filter(ts.isClassDeclaration)
      .flatMap((declaration) => declaration.members.filter(ts.isMethodDeclaration))
      .find((candidate) => candidate.name.getText() === name);
    const answer = member?.type;
    if (!member || !answer || !ts.isTypeReferenceNode(answer)) throw new Error(`no ${resource}.${name} in the SDK`);
    const parameter = member.parameters.find((candidate) => candidate.name.getText() === 'params');
    schema.operations[`${resource}.${name}`] = {
      ...endpointOf(fs.readFileSync(resourceFile(resource, '.js'), 'utf8'), name),
      params: parameter?.type
        ? converter.params(checker.getTypeFromTypeNode(parameter.type))
        : { type: 'object', additionalProperties: false },
      response: converter.answer(answer),
    };
  }
  return schema;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = path.join(import.meta.dirname, 'stripe-schema.json');
  fs.writeFileSync(file, `${JSON.stringify(generateSchema())}\n`);
}
