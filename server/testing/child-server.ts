import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** One of our servers in its own process. Its first message is its address; it ends when we disconnect or end. */
export async function startChildServer(program: string, args: string[] = [], variables: NodeJS.ProcessEnv = {}) {
  const child = fork(path.join(import.meta.dirname, program), args, {
    execArgv: ['--import', 'tsx'],
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  const [url] = await Promise.race([once(child, 'message'), ended]);
  if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}`);
  return {
    url: String(url),
    stop: async () => {
      child.disconnect();
      await ended;
    },
  };
}

/** The built product for browser journeys, on a port and a database of its own. Needs run-postgres.ts. */
export const startE2eServer = (variables?: NodeJS.ProcessEnv) => startChildServer('e2e-server.ts', [], variables);
