import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { scratchFolder } from './outside.ts';
import { project } from './source-files.ts';

type Packages = { dependencies: Record<string, string>; devDependencies: Record<string, string> };

/** A checkout of an older release, with this one's packages, or with its own where this one has given some of them up; returns its folder. */
export function checkOut(commit: string): string {
  const folder = scratchFolder('adviserly-release-');
  const files = execFileSync('git', ['archive', commit], { cwd: project, maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-x', '-C', folder], { input: files });
  const modules = path.join(project, 'node_modules');
  const { dependencies, devDependencies } = JSON.parse(
    fs.readFileSync(path.join(folder, 'package.json'), 'utf8'),
  ) as Packages;
  const names = Object.keys({ ...dependencies, ...devDependencies });
  if (names.every((name) => fs.existsSync(path.join(modules, name))))
    fs.symlinkSync(modules, path.join(folder, 'node_modules'));
  else execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'ignore' });
  return folder;
}
