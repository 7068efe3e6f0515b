import fs from 'node:fs';
import { minute } from '#shared/rules/dates.ts';
import { call } from './faults/people.ts';
import { registration } from './newcomer.ts';
import { scratchFolder } from './outside.ts';
import { freePort } from './ports.ts';
import { killServers, startProgram } from './production-server.ts';
import { project } from './source-files.ts';
import { expect, seconds, until } from './until.ts';

/**
 * Shows that a clean checkout starts: the program behind `npm run dev` on an empty data folder, a sign-up through HTTP, a
 * second, warm start that still knows the account, and a clean stop each time. Prints what it saw.
 */
const data = scratchFolder('adviserly-start-');
const port = await freePort();
const account = registration('starter@practice.example');

/** Starts, waits for the first page, calls once, and stops; returns how long the page took. */
async function start(path: string, body: unknown, wanted: number): Promise<number> {
  const product = startProgram({
    command: [process.execPath, '--import', 'tsx', 'server/index.ts'],
    cwd: project,
    env: { ...process.env, NODE_ENV: 'development', PORT: String(port), DATA_DIR: data, LOG_LEVEL: 'warn' },
    port,
    onLine: console.log,
  });
  const { ms } = await until('the first page', 2 * minute, async () => {
    expect(product.ended() === null, `the product stopped with ${product.ended()}`);
    const page = await fetch(product.base).catch(() => null);
    return page?.ok && (await page.text()).includes('<div id="root"');
  });
  const answer = await call(product, path, { body });
  expect(answer.status === wanted, `${path} answered ${answer.status}: ${await answer.clone().text()}`);
  const { code } = await product.stop();
  expect(code === 0, `SIGTERM ended it with ${code}`);
  return ms;
}

try {
  const cold = await start('/api/register', account, 201);
  const warm = await start('/api/login', { email: account.email, password: account.password }, 200);
  console.log(
    `first page ${seconds(cold)} after a cold start, ${seconds(warm)} after a warm one; account kept; stops cleanly`,
  );
} finally {
  await killServers();
  fs.rmSync(data, { recursive: true, force: true });
}
