import { realNow } from '#server/platform/clock.ts';
import { OperatorError, setEvents } from './operate.ts';
import { onOperatorDatabase } from './operator-database.ts';

/** npm run tools:events -- {toolId} {url} */
const [toolId, url, ...rest] = process.argv.slice(2);
try {
  if (!toolId || !url || rest.length > 0) throw new OperatorError('Usage: npm run tools:events -- {toolId} {url}');
  const { eventsUrl, secret } = await onOperatorDatabase((db, env) => setEvents(db, env, toolId, url, realNow()));
  console.log(`Events of ${toolId} go to ${eventsUrl}, signed with this secret, which is not shown again:\n${secret}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
