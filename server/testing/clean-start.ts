import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { minute } from '#shared/rules/dates.ts';
import { call } from './faults/people.ts';
import { registration } from './newcomer.ts';
import { freePort } from './ports.ts';
import { expect, seconds, until } from './until.ts';

/**
 * Shows that a clean checkout starts: the program behind `npm run dev` on an empty data folder, a sign-up through HTTP, a
 * second, warm start that still knows the account, and a clean stop each time. Prints what it saw.
 */
const data = fs.mkdtempSync(path.join(os.tmpdir(), 'adviserly-start-'));
fs.chmodSync(data, 0o755);
const port = await freePort();
const base = `http://localhost:${port}`;
const account = registration('starter@practice.example');

const started = (child: ReturnType<typeof launch>) =>
  until('the first page', 2 * minute, async () => {
    expect(child.exitCode === null, `the product stopped with ${child.exitCode}`);
    const page = await fetch(base).catch(() => null);
    return page?.ok && (await page.text()).includes('<div id="root"');
  });

const launch = () =>
  spawn(process.execPath, ['--import', 'tsx', 'server/index.ts'], {
    env: { ...process.env, NODE_ENV: 'development', PORT: String(port), DATA_DIR: data, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });

async function stopped(child: ReturnType<typeof launch>): Promise<void> {
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const code = await exit;
  expect(code === 0, `SIGTERM ended it with ${code}`);
}

async function post(path: string, body: unknown, wanted: number): Promise<void> {
  const answer = await call({ base }, path, { body });
  expect(answer.status === wanted, `${path} answered ${answer.status}: ${await answer.clone().text()}`);
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
    `first page ${seconds(cold.ms)} after a cold start, ${seconds(warm.ms)} after a warm one; account kept; stops cleanly`,
  );
} finally {
  child.kill('SIGKILL');
  fs.rmSync(data, { recursive: true, force: true });
}
