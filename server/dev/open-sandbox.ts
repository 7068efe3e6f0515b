import { realNow } from '#server/platform/clock.ts';
import type { Env } from '#server/platform/env.ts';
import { sandboxKeys } from '#server/platform/payments.ts';
import type { Sandbox, SandboxOptions } from '#server/dev/payments-sandbox/index.ts';

type Options = Pick<SandboxOptions, 'databaseUrl' | 'now' | 'log' | 'webhookEvents'> &
  Partial<Pick<SandboxOptions, 'webhookUrl'>>;

/** The payments sandbox where no Stripe key is set, else null: with a key, none of its code is loaded. Webhooks go to APP_URL by default. */
export async function openSandbox(env: Pick<Env, 'sandbox' | 'appUrl'>, options: Options): Promise<Sandbox | null> {
  if (!env.sandbox) return null;
  const { startSandbox } = await import('#server/dev/payments-sandbox/index.ts');
  const webhookUrl = () => `${env.appUrl}/api/webhooks/stripe`;
  return startSandbox({ webhookUrl, ...options, keys: sandboxKeys, realNow });
}
