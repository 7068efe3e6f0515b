import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{server,shared,client/src}/**/*.test.{ts,tsx}'],
    globalSetup: ['server/testing/global-setup.ts'],
    reporters: ['default', ['json', { outputFile: 'test-results/unit.json' }]],
    pool: 'forks',
    testTimeout: 20_000,
    hookTimeout: 60_000,
    env: { NODE_ENV: 'test' },
  },
});
