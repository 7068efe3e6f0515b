import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/**
 * `npm run check`: formatting, lint with types, the import law, unused code, and the tests nearest to what is not yet
 * committed, all at once and with caches. `npm run check -- main` takes what differs from that branch instead;
 * `npm run check -- all` is what `npm test` does before its tests: no tests, but also the build. The lint has TypeScript's verdict on
 * types already; `npm run types` asks the older compiler.
 */
const argument = process.argv[2] ?? 'HEAD';
const all = argument === 'all';
const mostTests = 12;

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean);

/** The files that a test imports, relative to the top of the project. */
function importsOf(test: string): string[] {
  const source = fs.readFileSync(test, 'utf8');
  return [...source.matchAll(/from '([#.][^']+)'/g)].map(([, target = '']) =>
    target.startsWith('#')
      ? target.replace(/^#client\//, 'client/src/').replace(/^#/, '')
      : path.join(path.dirname(test), target),
  );
}

/** The house rules, then test files that changed, those beside a file that changed, and those that import one. */
function nearestTests(): { files: string[]; left: number } {
  const [base = argument] = argument === 'HEAD' ? [] : git('merge-base', 'HEAD', argument);
  const changed = new Set([
    ...git('diff', '--name-only', '--diff-filter=d', '--relative', base),
    ...git('ls-files', '--others', '--exclude-standard'),
  ]);
  const tests = git('ls-files', '--cached', '--others', '--exclude-standard', '*.test.ts', '*.test.tsx').filter(
    (test) => fs.existsSync(test),
  );
  const nearest = new Set([
    'server/testing/house/house-rules.test.ts',
    ...tests.filter((test) => changed.has(test)),
    ...tests.filter((test) => changed.has(test.replace('.test.', '.'))),
    ...tests.filter((test) => importsOf(test).some((file) => changed.has(file))),
  ]);
  return { files: [...nearest].slice(0, mostTests), left: Math.max(0, nearest.size - mostTests) };
}

type Step = { name: string; command: string };

function steps(): Step[] {
  const { scripts } = JSON.parse(fs.readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  const ofPackage = (name: string) => ({ name, command: scripts[name] ?? '' });
  const always = ['format:check', 'lint', 'lint:imports', 'lint:unused'].map(ofPackage);
  if (all) return [...always, ofPackage('build')];
  const { files, left } = nearestTests();
  const name = `${files.length} test files${left > 0 ? ` (${left} more import what changed: npm run test:unit)` : ''}`;
  return [{ name, command: `vitest run ${files.join(' ')} --reporter=dot` }, ...always];
}

/** Runs a command, whose programs npm has put on the PATH; prints a line, and the whole output if it fails. */
const run = ({ name, command }: Step) =>
  new Promise<boolean>((resolve) => {
    const begin = performance.now();
    const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.once('close', (code) => {
      const took = ((performance.now() - begin) / 1000).toFixed(1);
      console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${took.padStart(5)} s  ${name}`);
      if (code !== 0) console.log(`\n${output.trim()}\n`);
      resolve(code === 0);
    });
  });

const results = await Promise.all(steps().map(run));
process.exit(results.every(Boolean) ? 0 : 1);
