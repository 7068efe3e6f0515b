import { realNow } from '#server/platform/clock.ts';
import { onOperatorDatabase } from './operator-database.ts';
import { OperatorError, setDomain } from './set-domain.ts';

/** npm run tools:domain -- {toolId} {url} */
const [toolId, url, ...rest] = process.argv.slice(2);
try {
  if (!toolId || !url || rest.length > 0) throw new OperatorError('Usage: npm run tools:domain -- {toolId} {url}');
  const domain = await onOperatorDatabase((db) => setDomain(db, toolId, url, realNow()));
  console.log(`${toolId} now opens at ${domain}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
