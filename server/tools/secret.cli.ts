import { realNow } from '#server/platform/clock.ts';
import { developmentSecretOf, makeSecret, OperatorError } from './operate.ts';
import { onOperatorDatabase } from './operator-database.ts';

/** npm run tools:secret -- {toolId} */
const [toolId, ...rest] = process.argv.slice(2);
try {
  if (!toolId || rest.length > 0) throw new OperatorError('Usage: npm run tools:secret -- {toolId}');
  const { secret, revoked } = await onOperatorDatabase((db, env) => {
    const exempt = env.mode === 'development' ? developmentSecretOf(env.sessionSecrets[0], toolId) : null;
    return makeSecret(db, toolId, realNow(), exempt);
  });
  console.log(`New secret of ${toolId}, shown only this once:\n\n  ${secret}\n`);
  console.log('Its server sends it with HTTP Basic: the tool id as user name, the secret as password.');
  console.log(revoked > 0 ? 'Two secrets may be live: the oldest was revoked.' : 'Earlier secrets still work.');
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
