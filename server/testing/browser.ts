import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import zlib from 'node:zlib';
import { chromium } from '@playwright/test';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'microsoft-edge'];

/** Where this system usually has its browsers. */
function installed(): string[] {
  if (process.platform === 'darwin') {
    return ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
      (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
    );
  }
  if (process.platform === 'win32') {
    const homes = [process.env['PROGRAMFILES'], process.env['PROGRAMFILES(X86)'], process.env['LOCALAPPDATA']];
    return homes.flatMap((home) =>
      home
        ? [`${home}\\Google\\Chrome\\Application\\chrome.exe`, `${home}\\Microsoft\\Edge\\Application\\msedge.exe`]
        : [],
    );
  }
  const folders = (process.env['PATH'] ?? '').split(':');
  return names.flatMap((name) => folders.map((folder) => path.join(folder, name)));
}

/**
 * The Chromium that npm brought (Linux x64). It is unpacked here, once: the package's own function would run any file
 * that it finds at a predictable path in the temporary folder.
 */
function bundled(): string | null {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null;
  let folder = path.dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium'));
  while (!fs.existsSync(path.join(folder, 'bin/chromium.br'))) folder = path.dirname(folder);
  const cache = path.resolve('node_modules/.cache/adviserly-chromium');
  const unpack = (archive: string, target: string, mode: number) => {
    if (fs.existsSync(target)) return;
    fs.mkdirSync(path.dirname(target), { recursive: true });
    const part = `${target}.${process.pid}`;
    fs.writeFileSync(part, zlib.brotliDecompressSync(fs.readFileSync(path.join(folder, 'bin', archive))), { mode });
    fs.renameSync(part, target);
  };
  const binary = path.join(cache, 'chromium');
  unpack('chromium.br', binary, 0o755);
  if (!fs.existsSync(path.join(cache, 'lib'))) {
    unpack('al2023.tar.br', path.join(cache, 'lib.tar'), 0o644);
    execFileSync('tar', ['-xf', path.join(cache, 'lib.tar'), '-C', cache]);
  }
  return binary;
}

/**
 * The browser for the journeys: CHROMIUM_PATH, else Playwright's own download (undefined: let it find it), else one on
 * this machine, else the one from npm.
 */
function browserPath(): string | undefined {
  if (process.env['CHROMIUM_PATH']) return process.env['CHROMIUM_PATH'];
  if (fs.existsSync(chromium.executablePath())) return undefined;
  const found = installed().find((file) => fs.existsSync(file)) ?? bundled();
  if (!found)
    throw new Error('No browser for the journeys: run "npx playwright install chromium", or set CHROMIUM_PATH.');
  return found;
}

/** Our environment, with the libraries that the bundled browser brings for machines without them. */
function browserEnvironment(executable: string | undefined): Record<string, string> {
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  const lib = executable && path.join(path.dirname(executable), 'lib');
  return lib && fs.existsSync(lib) && executable.includes('adviserly-chromium')
    ? { ...inherited, LD_LIBRARY_PATH: lib }
    : inherited;
}

/** What Playwright launches it with. */
export function browserOptions() {
  const executablePath = browserPath();
  return { ...(executablePath && { executablePath }), env: browserEnvironment(executablePath) };
}
