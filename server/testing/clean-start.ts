import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { minute } from '#shared/rules/dates.ts';

/**
 * Shows that a clean checkout starts: the README's start command on an empty data folder, a sign-up through HTTP, a
 * second, warm start that still knows the account, and a clean stop each time. Prints what it saw.
 */
const data = fs.mkdtempSync(path.join(os.tmpdir(), 'adviserly-start-'));
fs.chmodSync(data, 0o755);
const port = 47380;
const base = `http://localhost:${port}`;
const account = { email: 'starter@practice.example', password: 'Correct-Horse-7', firstName: 'Sam', lastName: 'Lee' };

async function started(child: ReturnType<typeof launch>): Promise<number> {
  const begin = performance.now();
  while (performance.now() - begin < 2 * minute) {
    if (child.exitCode !== null) throw new Error(`the product stopped with ${child.exitCode}`);
    const page = await fetch(base).catch(() => null);
    if (page?.ok && (await page.text()).includes('<div id="root"')) return (performance.now() - begin) / 1000;
    await wait(100);
  }
  throw new Error('no page within two minutes');
}

const launch = () =>
  spawn(process.execPath, ['--import', 'tsx', 'server/index.ts'], {
    env: { ...process.env, NODE_ENV: 'development', PORT: String(port), DATA_DIR: data, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });

async function stopped(child: ReturnType<typeof launch>): Promise<void> {
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const code = await exit;
  if (code !== 0) throw new Error(`SIGTERM ended it with ${code}`);
}

async function post(path: string, body: unknown, wanted: number): Promise<void> {
  const answer = await fetch(base + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (answer.status !== wanted) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
}

let child = launch();
try {
  const cold = await started(child);
  await post('/api/register', account, 201);
  await stopped(child);
  child = launch();
  const warm = await started(child);
  await post('/api/login', { email: account.email, password: account.password }, 200);
  await stopped(child);
  console.log(
    `first page ${cold.toFixed(1)} s after a cold start, ${warm.toFixed(1)} s after a warm one; account kept; stops cleanly`,
  );
} finally {
  child.kill('SIGKILL');
  fs.rmSync(data, { recursive: true, force: true });
}
