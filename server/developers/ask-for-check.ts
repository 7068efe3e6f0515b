import { randomUUID } from 'node:crypto';
import { checkStateOf } from '#shared/rules/tools/tool-checks.ts';
import { maxTestAdvisers } from '#shared/rules/tools/tools.ts';
import { type ToolRow, toolRows } from '#server/catalogue/service.ts';
import { lockActor, testAdvisers } from '#server/people/service.ts';
import { checkRuns } from '#server/tools/service.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import { realNow } from '#server/platform/clock.ts';
import { type Context, inTransaction } from '#server/platform/context.ts';
import { type Db } from '#server/platform/data/database.ts';
import { consume } from '#server/platform/http/rate-limit.ts';
import { examinedState } from './checks.ts';
import { onOwnTool } from './own-tools.ts';
import { checkJob } from './run-check.ts';
import { addTestAdviser, requireTriedOut } from './sandbox.ts';

type Places = { page: string; finish: string };

/**
 * Begins an examination of the tool, which a job runs. One at a time per maker, since places are few: two makers of slow tools would
 * otherwise keep everybody waiting.
 */
export async function askForCheck(context: Context, actor: ActorRow, toolId: string, places: Places): Promise<void> {
  await consume(context, 'toolChecks', actor.id);
  const begin = async (inside: Context, tool: ToolRow) => {
    const tried = requireTriedOut(tool);
    const going = await goingOf(inside.db, actor.id);
    if (going) throw new AppError(going === toolId ? 'check_running' : 'maker_checks');
    await havePeople(inside, tool);
    const { page, finish } = { page: places.page || null, finish: places.finish || null };
    const run = randomUUID();
    const examined = await examinedState(inside.db, tried);
    await checkRuns.insertCheck(inside.db, {
      toolId,
      run,
      domain: tried.domain,
      page,
      finish,
      examined,
      requestedAt: realNow(),
    });
    await inside.queue.send(inside.db, checkJob, { run });
  };
  await inTransaction(context, async (inside, tx) => {
    await lockActor(tx, actor);
    await onOwnTool(inside, actor, toolId, begin);
  });
}

/** Which of this maker's tools is being examined, or waiting to be. */
async function goingOf(db: Db, ownerId: string): Promise<string | undefined> {
  const tools = await toolRows.toolsOf(db, ownerId);
  const checks = await checkRuns.checksOf(
    db,
    tools.map(({ id }) => id),
  );
  return checks.find((check) => ['waiting', 'running'].includes(checkStateOf(check, realNow())))?.toolId;
}

/** One test adviser is needed; a second one shows whether they see each other's work. */
async function havePeople(inside: Context, tool: ToolRow): Promise<void> {
  const people = await testAdvisers.testAdvisersOf(inside.db, tool.id);
  const open = people.filter(({ ended }) => ended === null).length;
  const more = Math.min(2 - open, maxTestAdvisers - people.length);
  for (let number = 0; number < more; number += 1) await addTestAdviser(inside, tool);
  if (open === 0 && more <= 0) throw new AppError('test_adviser_needed');
}
