import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { scratchFolder } from './outside.ts';
import { project } from './source-files.ts';

/** A checkout of an older release, with this one's packages; returns its folder. */
export function checkOut(commit: string): string {
  const folder = scratchFolder('adviserly-release-');
  const files = execFileSync('git', ['archive', commit], { cwd: project, maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-x', '-C', folder], { input: files });
  fs.symlinkSync(path.join(project, 'node_modules'), path.join(folder, 'node_modules'));
  return folder;
}
