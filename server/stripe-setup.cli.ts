import { checkReachable, dashboardSettings, setUpStripe } from '#server/billing/service.ts';
import { stripeKeyForSetup } from '#server/platform/env.ts';
import { createLog } from '#server/platform/log.ts';
import { createPayments } from '#server/platform/payments.ts';
import { checkMode, modeOf } from '#server/stripe/service.ts';
import { onOperatorDatabase } from '#server/tools/operator-database.ts';

/** `npm run stripe:setup`, and `-- --check`, which changes nothing and fails where something differs (README of server/stripe). */
const check = process.argv.includes('--check');
if (stripeKeyForSetup() === null) {
  console.error('Set STRIPE_SECRET_KEY first: sk_test_… or sk_live_…, of the account to set up.');
  process.exit(2);
}
try {
  const faults = await onOperatorDatabase(async (db, env) => {
    console.log(`Stripe, ${modeOf(env)} mode, for ${env.appUrl}${check ? ' (check only)' : ''}\n`);
    await checkMode(db, env, { claim: !check });
    const context = { db, env, payments: createPayments(env, null), log: createLog({ logLevel: 'error' }) };
    const { made, differences, webhookSecret } = await setUpStripe(context, { check });
    const unreachable = check ? await checkReachable(env.appUrl) : null;
    for (const what of made) console.log(`made     ${what}`);
    const wrong = [...differences, ...(unreachable ? [unreachable] : [])];
    for (const what of wrong) console.log(`differs  ${what}`);
    if (made.length + wrong.length === 0) console.log('Everything is as it should be.');
    if (webhookSecret) console.log(`\nSTRIPE_WEBHOOK_SECRET=${webhookSecret}\nShown only this once.`);
    console.log('\nNo API shows these; tick them in the Dashboard:');
    for (const setting of dashboardSettings) console.log(`  [ ] ${setting}`);
    return wrong.length;
  });
  process.exitCode = faults > 0 ? 1 : 0;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
