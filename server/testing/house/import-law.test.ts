import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { project, sourceFiles } from '../source-files.ts';

/**
 * The import law is enforced by dependency-cruiser and oxlint. A checker that silently sees nothing is green and blind,
 * so each rule is broken once in a scratch tree and must be reported.
 */
let tree: string;

/** The server's rooms, which the law puts in an order; a new folder has to be given its place. */
const rooms = fs
  .readdirSync(path.join(project, 'server'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !['platform', 'dev', 'testing'].includes(entry.name))
  .map(({ name }) => name);
/** An import that a room may not make: of a room above it, or of one below it past its service.ts. */
const forbiddenTo = (room: string) =>
  ({
    site: '#server/admin/queries.ts',
    dashboard: '#server/admin/queries.ts',
    subscriptions: '#server/billing/service.ts',
  })[room] ?? '#server/site/service.ts';

/** Rule → [file, content] that breaks it. Targets exist as empty modules. */
const violations: Record<string, [string, string]> = {
  'no-circular': ['server/platform/loop-a.ts', "import type { B } from './loop-b.ts';\nexport type A = { b: B };"],
  'not-to-unresolvable': ['server/platform/lost.ts', "export * from './nowhere.ts';"],
  'rules-import-rules': ['shared/rules/bad.ts', "export * from '#shared/api/fine.ts';"],
  'schema-imports-rules': ['shared/schema/bad.ts', "export * from '../api/fine.ts';"],
  'api-imports-rules': ['shared/api/bad.ts', "export * from '#shared/schema/fine.ts';"],
  'api-imports-types-of-schema': ['shared/api/bad-type.ts', "export type { x } from '#server/platform/fine.ts';"],
  'platform-imports-platform': ['server/platform/bad.ts', "export * from '#server/teams/service.ts';"],
  ...Object.fromEntries(
    rooms.map((room) => [
      `${room}-imports-rooms-below`,
      [`server/${room}/bad.ts`, `export * from '${forbiddenTo(room)}';`] as [string, string],
    ]),
  ),
  'payments-sandbox-imports-own': ['server/dev/payments-sandbox/bad.ts', "export * from '../../teams/service.ts';"],
  'server-imports-server': ['server/bad.ts', "export * from '#client/ui/fine.ts';"],
  'ui-imports-ui': ['client/src/ui/bad.ts', "export * from '#client/lib/fine.ts';"],
  'lib-imports-contract': ['client/src/lib/bad.ts', "export * from '#client/ui/fine.ts';"],
  'feature-imports-own': ['client/src/features/teams/bad.ts', "export * from '#client/features/tools/fine.ts';"],
  'client-imports-client': ['client/src/app/bad.ts', "export * from '#server/platform/fine.ts';"],
  'members-load-their-calls': ['client/src/app/calls.ts', "export * from '#shared/api/index.ts';"],
  'spa-without-tables': ['client/src/app/tables.ts', "export * from '#shared/schema/fine.ts';"],
  'sql-in-queries': ['server/teams/sql.ts', "export { eq } from 'drizzle-orm';"],
  'drizzle-in-tables': ['shared/api/sql.ts', "export { eq } from 'drizzle-orm';"],
  'stripe-in-payments': ['server/teams/pay.ts', "import Stripe from 'stripe';\nexport const s = Stripe;"],
  'csurf-in-csrf': ['server/platform/more-csrf.ts', "import csurf from 'csurf';\nexport const c = csurf;"],
  'no-node-in-client': ['client/src/lib/node.ts', "import fs from 'node:fs';\nexport const f = fs;"],
  'not-to-dev-dependency': [
    'server/platform/dev.ts',
    "import { test } from '@playwright/test';\nexport const t = test;",
  ],
};

const fine = [
  'shared/api/fine.ts',
  'shared/api/index.ts',
  'shared/schema/fine.ts',
  'server/platform/fine.ts',
  'server/teams/service.ts',
  'server/accounts/queries.ts',
  'server/admin/queries.ts',
  'server/billing/service.ts',
  'server/site/service.ts',
  'client/src/ui/fine.ts',
  'client/src/lib/fine.ts',
  'client/src/features/tools/fine.ts',
];

const lint: Record<string, [string, string]> = {
  'no-restricted-globals': ['client/src/features/teams/call.ts', "export const call = () => fetch('/api/user');"],
  'no-process-env': ['server/teams/env.ts', 'export const port = process.env.PORT;'],
  'no-restricted-properties': ['server/teams/now.ts', 'export const now = () => Date.now();'],
  'no-explicit-any': ['server/teams/any.ts', 'export const loose = (x: any) => x;'],
};

/** What a linter says, whatever its exit status. */
function output(cwd: string, command: string, args: string[]): string {
  try {
    return execFileSync(path.join(project, 'node_modules/.bin', command), args, {
      cwd,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
  } catch (error) {
    return String((error as { stdout?: string }).stdout);
  }
}

const parts = ['client', 'server', 'shared'];

type Report = {
  modules: { source: string }[];
  summary: { violations: { rule: { name: string }; from: string }[] };
};
const cruise = (cwd: string, ...args: string[]) =>
  JSON.parse(
    output(cwd, 'depcruise', ['--config', '.dependency-cruiser.cjs', '--output-type', 'json', ...args, ...parts]),
  ) as Report;

beforeAll(() => {
  tree = fs.mkdtempSync(path.join(os.tmpdir(), 'adviserly-rules-'));
  const plant = (file: string, content: string) => {
    fs.mkdirSync(path.dirname(path.join(tree, file)), { recursive: true });
    fs.writeFileSync(path.join(tree, file), content);
  };
  for (const file of ['package.json', 'tsconfig.json', '.dependency-cruiser.cjs', '.oxlintrc.json'])
    fs.copyFileSync(path.join(project, file), path.join(tree, file));
  fs.symlinkSync(path.join(project, 'node_modules'), path.join(tree, 'node_modules'));
  for (const file of fine) plant(file, 'export const x = 1;');
  plant('server/platform/loop-b.ts', "import type { A } from './loop-a.ts';\nexport type B = { a: A };");
  for (const [file, content] of [...Object.values(violations), ...Object.values(lint)]) plant(file, content);
});
afterAll(() => fs.rmSync(tree, { recursive: true, force: true }));

describe('the import law', () => {
  it('is seen to be broken, rule by rule', () => {
    const report = cruise(tree);
    const seen = report.summary.violations.map(({ rule, from }) => `${rule.name} ${from}`);
    for (const [rule, [file]] of Object.entries(violations)) expect(seen).toContain(`${rule} ${file}`);
  });

  it('has a planted violation for every rule of the configuration', async () => {
    const config = (await import(path.join(project, '.dependency-cruiser.cjs'))) as {
      default: { forbidden: { name: string }[] };
    };
    expect(config.default.forbidden.map((rule) => rule.name).toSorted()).toEqual(Object.keys(violations).toSorted());
  });

  it('looks at the whole product', () => {
    const modules = cruise(project, '--cache', '--cache-strategy', 'content').modules.map((module) => module.source);
    const sources = sourceFiles();
    expect(sources.length).toBeGreaterThan(150);
    expect(sources.filter((file) => !modules.includes(file))).toEqual([]);
  });
});

it('oxlint finds each planted violation', () => {
  const report = output(tree, 'oxlint', ['--format', 'unix', ...parts]);
  for (const [rule, [file]] of Object.entries(lint)) {
    expect(
      report.split('\n').filter((entry) => entry.includes(file) && entry.includes(rule)),
      `${rule} in ${file}`,
    ).not.toEqual([]);
  }
});
