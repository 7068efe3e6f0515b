import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Endpoint } from '#shared/api/endpoint.ts';
import { contract } from '#shared/api/index.ts';
import { project, sourceFiles } from '../source-files.ts';

/** Rules that the linters have no word for: [rule, pattern that breaks it, files that may]. */
const words: [string, RegExp, RegExp][] = [
  [
    'business code takes its time from context.now()',
    /new Date\(\)/,
    /clock\.ts$|\.test\.tsx?$|^server\/(testing|dev\/(seed|sample-tool)|developers\/testing)\/|^client\/src\/lib\/words\/business-time\.ts$/,
  ],
  ['transactions go through transaction() of database.ts', /\bdb\.transaction\(|\btx\.transaction\(/, /^$/],
  ['zod is imported whole, which keeps its locales out of the browser', /import \{[^}]*\bz\b[^}]*\} from 'zod'/, /^$/],
  [
    'what a write makes out of date is said in shared/api/changes.ts alone',
    /\b(invalidateQueries|refetchQueries|resetQueries)\(|import \{[^}]*\brequest\b[^}]*\} from '#client\/lib\/calls\/request\.ts'/,
    /^client\/src\/(lib\/|features\/accounts\/(sign-(in|up)-form|second-step|passkeys|at-provider|use-invitation)\.tsx?$)/,
  ],
  [
    'a day of money or of a document is Sydney’s, wherever it is read (killbill#1074)',
    /\bformatDay\([\w.]*(issuedAt|madeAt|startsAt|disclosedAt|trialEndDate|gracePeriodEnd|[eE]ndDate|invoice\.date|closedAt|since|until|expiresAt)\b/,
    /^$/,
  ],
  [
    'a number is typed as text: the wheel changes a number field, and 12,5 becomes 125 (kubermatic/dashboard#7642)',
    /type="number"/,
    /^server\//,
  ],
  [
    'no test is focused or skipped',
    /\b(it|test|describe)\.(only|skip|fixme|todo)\(/,
    /^server\/testing\/house\/house-rules\.test\.ts$/,
  ],
];

describe('house rules in words', () => {
  it.each(words)('%s', (_rule, pattern, allowed) => {
    const broken = sourceFiles()
      .filter((file) => !allowed.test(file) && file !== 'server/testing/house/house-rules.test.ts')
      .filter((file) =>
        pattern.test(fs.readFileSync(path.join(project, file), 'utf8').replace(/^\s*(\*|\/\/).*$/gm, '')),
      );
    expect(broken).toEqual([]);
  });
});

const tracked = (...patterns: string[]) =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...patterns], {
    cwd: project,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => file !== '' && fs.existsSync(path.join(project, file)));
const textOf = (file: string) => fs.readFileSync(path.join(project, file), 'utf8');

it('no folder has more than 45 files, but the migrations', () => {
  const files = tracked().filter((file) => !file.startsWith('migrations/'));
  const inside = (folder: string) => files.filter((file) => path.dirname(file) === folder).length;
  expect([...new Set(files.map(path.dirname))].filter((folder) => inside(folder) > 45)).toEqual([]);
});

describe('what is written down', () => {
  it('refers to no document that is not in the repository', () => {
    // A section sign after A, B or "decisions" refers to one.
    const reference = new RegExp(['decisions', String.raw`\b[AB]`].map((name) => `${name} §`).join('|'));
    const files = tracked('*.ts', '*.tsx', '*.md', '*.sql', '*.mjs', '*.cjs', '*.css');
    expect(files.filter((file) => reference.test(textOf(file)))).toEqual([]);
  });

  it('README.md has at most 90 lines, so that it is read', () => {
    expect(textOf('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(90);
  });

  it('every link of a README leads to a file', () => {
    const broken = tracked('*README.md').flatMap((readme) =>
      [...textOf(readme).matchAll(/\]\((?!https?:|#)([^)#\s]+)[^)]*\)/g)]
        .map(([, link]) => path.join(path.dirname(readme), link!))
        .filter((target) => !fs.existsSync(path.join(project, target)))
        .map((target) => `${readme} → ${target}`),
    );
    expect(broken).toEqual([]);
  });
});

it('every call for administrators has a page or button that makes it', () => {
  const client = sourceFiles()
    .filter((file) => file.startsWith('client/src/'))
    .map(textOf)
    .join('\n');
  const calls = Object.entries(contract).flatMap(([noun, endpoints]) =>
    Object.entries(endpoints as Record<string, Endpoint>)
      .filter(([, { access }]) => access === 'admin')
      .map(([name]) => ({ noun, name })),
  );
  expect(calls.length).toBeGreaterThan(50);
  // `contract.acts.refund`; one of several, `contract.approvals[decision]`; or a maker's and an administrator's, `callsOf(as).open`.
  const isMade = ({ noun, name }: (typeof calls)[number]) =>
    new RegExp(String.raw`\b(contract|api)\.${noun}(\.${name}\b|\[)|\bcallsOf\(as\)\.${name}\b`).test(client);
  expect(calls.filter((call) => !isMade(call))).toEqual([]);
});

/** `#server/x.ts` or `./x.ts` in a file → the path from the root; null for a package. */
function importedFile(name: string, from: string): string | null {
  const [, root, rest] = /^#(server|shared|client)\/(.+)$/.exec(name) ?? [];
  if (root) return `${root === 'client' ? 'client/src' : root}/${rest}`;
  return name.startsWith('.') ? path.posix.join(path.posix.dirname(from), name) : null;
}

it('at most thirty short files serve one other: a name to open is worth it only where it says something', () => {
  const files = sourceFiles();
  const importers = new Map<string, Set<string>>();
  for (const file of files) {
    for (const [, name] of textOf(file).matchAll(/(?:from|import\(|import)\s*'([^']+)'/g)) {
      const target = importedFile(name!, file);
      if (target) importers.set(target, (importers.get(target) ?? new Set()).add(file));
    }
  }
  const short = files.filter(
    (file) =>
      !/\.(test|spec)\.tsx?$/.test(file) && textOf(file).split('\n').length <= 40 && importers.get(file)?.size === 1,
  );
  expect(short.length, `fold one of these into the file that imports it:\n${short.join('\n')}`).toBeLessThanOrEqual(30);
});

/** The names that a `service.ts` exports, types and those of `export * from …` too; a namespace (`export * as rights from …`) is one. */
function exportedNames(file: string): string[] {
  const source = textOf(file);
  const passedOn = [...source.matchAll(/^export \* from '([^']+)'/gm)].flatMap(([, name = '']) =>
    exportedNames(path.posix.join(path.posix.dirname(file), name)),
  );
  const lists = [...source.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names = '']) => names.split(','));
  const namespaces = [...source.matchAll(/^export \* as (\w+)/gm)].map(([, name = '']) => name);
  const own = [...source.matchAll(/^export (?:async )?(?:const|function|class|type) (\w+)/gm)].map(
    ([, name = '']) => name,
  );
  return [...passedOn, ...lists.map((name) => name.trim()), ...namespaces, ...own].filter((name) => name !== '');
}

describe('service.ts', () => {
  const most = 20;
  const sizes = sourceFiles()
    .filter((file) => /^server\/[\w-]+\/service\.ts$/.test(file))
    .map((file) => [file, exportedNames(file).length] as const);

  it('says what other rooms may do in at most twenty names: verbs, and namespaces of what they are about', () => {
    expect(sizes.filter(([, size]) => size > most)).toEqual([]);
  });
});
