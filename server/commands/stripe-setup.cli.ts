import { checkWebhook, dashboardSettings, setUpStripe } from '#server/billing/service.ts';
import { realNow } from '#server/platform/clock.ts';
import { stripeKeyForSetup } from '#server/platform/env.ts';
import { createLog } from '#server/platform/logs/log.ts';
import { createPayments } from '#server/platform/payments.ts';
import { openSandbox } from '#server/dev/open-sandbox.ts';
import { checkMode, modeOf } from '#server/stripe/queries.ts';
import { onOperatorDatabase } from './operator-database.ts';

/**
 * `npm run stripe:setup`, and `-- --check`, which changes nothing and fails where something differs (README of server/stripe).
 * Without a key it rehearses on this installation's payments sandbox.
 */
const check = process.argv.includes('--check');
const hasKey = stripeKeyForSetup() !== null;
try {
  const faults = await onOperatorDatabase(async (db, env, databaseUrl) => {
    if (!hasKey && !env.sandbox) throw new Error('Set STRIPE_SECRET_KEY first: of the account to set up.');
    const log = createLog({ logLevel: 'error' });
    const sandbox = await openSandbox(env, { databaseUrl, now: realNow, log });
    try {
      const where = sandbox ? 'The payments sandbox (no STRIPE_SECRET_KEY)' : `Stripe, ${modeOf(env)} mode,`;
      console.log(`${where} for ${env.appUrl}${check ? ' (check only)' : ''}\n`);
      await checkMode(db, env, { claim: !check });
      const context = { db, env, payments: createPayments(env, sandbox) };
      const { made, differences, webhookSecret } = await setUpStripe(context, { check });
      const wrong = [...differences, ...(check ? await checkWebhook(context) : [])];
      for (const what of made) console.log(`made     ${what}`);
      for (const what of wrong) console.log(`differs  ${what}`);
      if (made.length + wrong.length === 0) console.log('Everything is as it should be.');
      if (webhookSecret) console.log(`\nSTRIPE_WEBHOOK_SECRET=${webhookSecret}\nShown only this once.`);
      console.log('\nNo API shows these; tick them in the Dashboard:');
      for (const setting of dashboardSettings) console.log(`  [ ] ${setting}`);
      return wrong.length;
    } finally {
      await sandbox?.close();
    }
  });
  process.exitCode = faults > 0 ? 1 : 0;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
