import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{server,shared,client/src}/**/*.test.{ts,tsx}'],
    globalSetup: ['server/testing/run-postgres.ts'],
    reporters: ['default', ['json', { outputFile: `test-results/${process.env['TEST_RUN'] ?? 'unit'}/unit.json` }]],
    pool: 'forks',
    // Two for each of two cores: half of the time they wait for PostgreSQL.
    maxWorkers: 4,
    // A worker loads the product once for all its files; what a file makes (app, database, port) is its own.
    isolate: false,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    env: { NODE_ENV: 'test' },
  },
});
