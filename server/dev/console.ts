import type { Server } from 'node:http';
import type { Express } from 'express';
import type { Logger } from 'pino';
import { brand } from '#shared/brand.ts';
import { sameOrigin } from '#server/platform/http/same-origin.ts';
import type { Env } from '#server/platform/env.ts';
import type { Context } from '#server/platform/context.ts';
import type { Product } from '#server/start.ts';
import { consoleRoutes } from './console-routes.ts';
import { startIdentityProviders } from './identity-providers.ts';
import { startSampleTool } from './sample-tool/index.ts';
import { demoAccounts, seedDemo } from './seed/demo.ts';
import { liveThroughDemo } from './seed/practice.ts';
import { developmentSecrets, developmentTools } from './seed/development-secrets.ts';
import { watchToolCalls } from './tool-calls.ts';
import { toolCheckRoutes } from './tool-check-routes.ts';

type Parts = Omit<Product, 'stop' | 'port' | 'caughtUp'> & { server: Server };

/** Everything that development has and production doesn't: demo data, the sample tool, /dev. */
export async function openConsole(env: Env, log: Logger) {
  const sampleTool = await startSampleTool({
    port: env.sampleToolPort,
    host: env.host,
    apiUrl: `http://127.0.0.1:${env.port}`,
    secretsOf: (toolId) => developmentSecrets(env, toolId),
    log,
  });
  const accounts = env.demoData ? demoAccounts : [];
  const providers = await startIdentityProviders(
    env,
    accounts.map(({ email }) => email),
  );
  return {
    toolDomain: (toolId: string) => `${sampleTool.url}/${toolId}`,
    mount(app: Express, { context, clock, sandbox }: Parts) {
      app.use(
        '/dev',
        sameOrigin(env.appUrl, () => false),
      );
      app.use(toolCheckRoutes(context, watchToolCalls(context)));
      app.use(consoleRoutes({ context, clock, sandbox, accounts, tools: () => developmentTools(context) }));
    },
    /** Demo data, once, and the tools' secrets. */
    async seed(context: Context) {
      await developmentTools(context, sampleTool.url);
      if (env.demoData) await seedDemo(context);
    },
    /** The demo's three months, once the server listens. A failure there doesn't stop the server; a stop is none. */
    live: (product: Product, isStopping: () => boolean) =>
      env.demoData
        ? liveThroughDemo(product).catch((error: unknown) => {
            if (!isStopping()) log.error({ err: error }, 'demo data is incomplete');
          })
        : undefined,
    /** Addresses and logins for the terminal. */
    banner: () => banner(env, sampleTool.url, accounts),
    stop: async () => {
      await providers?.close();
      await sampleTool.close();
    },
  };
}

function banner(env: Env, sampleToolUrl: string, accounts: typeof demoAccounts | []): string {
  const width = Math.max(0, ...accounts.map((account) => account.email.length));
  return [
    '',
    `  ${brand.name} is running at ${env.appUrl}`,
    `  Development console: ${env.appUrl}/dev (demo accounts, mailbox, clock, payments sandbox)`,
    `  Sample tool:         ${sampleToolUrl}`,
    '',
    ...(accounts.length > 0 ? ['  Demo accounts (email, password):'] : ['  Demo data is off.']),
    ...accounts.map((account) => `    ${account.email.padEnd(width)}  ${account.password}  ${account.role}`),
    '',
  ].join('\n');
}
