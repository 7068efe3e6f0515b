import { parseEnv, type Env } from '#server/platform/env.ts';

/** The configuration of a test server: nothing from this machine's environment, what a test gives on top. */
export const testEnv = (variables: Record<string, string> = {}): Env =>
  parseEnv({ NODE_ENV: 'test', SESSION_SECRET: 'test-secret-that-is-long-enough-for-anyone-0123', ...variables });
