import fs from 'node:fs';
import path from 'node:path';
import { defineConfig } from '@playwright/test';
import { day } from './shared/rules/dates.ts';
import { browserOptions } from './server/testing/browser.ts';

/** Each run has a folder of its own (named by TEST_RUN) for what there is to look at; it is removed after a day. */
const counted = process.env['TEST_RUN'] !== undefined;
const results = path.join('test-results', (process.env['TEST_RUN'] ??= `journeys-${process.pid}`));
for (const name of fs.existsSync('test-results') ? fs.readdirSync('test-results') : []) {
  const folder = path.join('test-results', name);
  const { mtimeMs = Infinity } = fs.statSync(folder, { throwIfNoEntry: false }) ?? {};
  if (mtimeMs < Date.now() - day) fs.rmSync(folder, { recursive: true, force: true });
}

/**
 * Journeys in Chromium against the real server with the built pages (npm run build first). Each worker has a server and a
 * database of its own (client/e2e/fixtures.ts).
 */
export default defineConfig({
  testDir: 'client/e2e',
  outputDir: path.join(results, 'journeys'),
  globalSetup: './server/testing/run-postgres.ts',
  workers: 3,
  // Generous, since the journeys have to pass while the machine does other work; nothing waits longer than it needs to.
  timeout: 240_000,
  expect: { timeout: 45_000 },
  forbidOnly: process.env['CI'] !== undefined,
  reporter: [['list'], ...(counted ? [['json', { outputFile: path.join(results, 'e2e.json') }] as const] : [])],
  use: {
    screenshot: 'only-on-failure',
    locale: 'en-AU',
    timezoneId: 'Australia/Sydney',
    launchOptions: {
      ...browserOptions(),
      args: [
        '--disable-quic',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
      ],
    },
  },
});
