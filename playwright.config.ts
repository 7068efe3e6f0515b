import { defineConfig } from '@playwright/test';
import { browserEnvironment, browserPath } from './server/testing/browser.ts';

const port = Number(process.env['E2E_PORT'] ?? 47180);
const executablePath = browserPath();

/** Journeys in Chromium against the real server with the built pages (npm run build first). */
export default defineConfig({
  testDir: 'client/e2e',
  outputDir: 'test-results/journeys',
  workers: 1,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: process.env['CI'] !== undefined,
  reporter: [['list'], ['json', { outputFile: 'test-results/e2e.json' }]],
  use: {
    baseURL: `http://localhost:${port}`,
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
    locale: 'en-AU',
    timezoneId: 'Australia/Sydney',
    launchOptions: {
      ...(executablePath && { executablePath }),
      env: browserEnvironment(executablePath),
      args: [
        '--disable-quic',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
      ],
    },
  },
  webServer: {
    command: 'node --import tsx server/testing/e2e-server.ts',
    url: `http://localhost:${port}/readyz`,
    env: { PORT: String(port) },
    reuseExistingServer: false,
    timeout: 90_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
  },
});
