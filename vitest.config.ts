import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{server,shared,client/src}/**/*.test.{ts,tsx}'],
    pool: 'forks',
    testTimeout: 20_000,
    hookTimeout: 60_000,
    env: { NODE_ENV: 'test' },
  },
});
