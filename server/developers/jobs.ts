import type { Context } from '#server/platform/context.ts';
import { checkJob, longestMs, runCheck } from './run-check.ts';

/** Registers the job that examines a tool. Most of it is waiting, so four run at once; a second attempt only says that the first was cut off. */
export async function defineDeveloperJobs(context: Context): Promise<void> {
  const options = { retryLimit: 1, concurrency: 4, expireInSeconds: longestMs / 1000 + 60 };
  await context.queue.define<{ run: string }>(checkJob, options, ({ run }) => runCheck(context, run));
}
