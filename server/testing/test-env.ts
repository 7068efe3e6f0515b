import { parseEnv, type Env } from '#server/platform/env.ts';

/** The configuration of a test server: nothing from this machine's environment, plus what the test gives. */
export const testEnv = (variables: Record<string, string> = {}): Env =>
  parseEnv({
    NODE_ENV: 'test',
    DATABASE: 'embedded',
    SESSION_SECRET: 'test-secret-that-is-long-enough-for-anyone-0123',
    ...variables,
  });
