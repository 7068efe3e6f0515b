import { randomUUID } from 'node:crypto';
import { maxTestAdvisers } from '#shared/rules/tools.ts';
import type { ToolRow } from '#server/catalogue/service.ts';
import { testAdvisersOf } from '#server/people/service.ts';
import { insertCheck } from '#server/tools/service.ts';
import type { ActorRow } from '#server/platform/actor.ts';
import { AppError } from '#server/platform/app-error.ts';
import { realNow } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import { consume } from '#server/platform/rate-limit.ts';
import { lastCheckOf } from './checks.ts';
import { onOwnTool } from './own-tools.ts';
import { checkJob } from './run-check.ts';
import { addTestAdviser } from './sandbox.ts';

type Places = { page: string; finish: string };

/** Begins an examination of the tool, one at a time: a job runs it. */
export async function askForCheck(context: Context, actor: ActorRow, toolId: string, places: Places): Promise<void> {
  await consume(context, 'toolChecks', actor.id);
  await onOwnTool(context, actor, toolId, async (inside, tool) => {
    if (tool.isActive) throw new AppError('tool_published');
    const last = await lastCheckOf(inside.db, toolId);
    if (last?.state === 'waiting' || last?.state === 'running') throw new AppError('check_running');
    await havePeople(inside, tool);
    const { page, finish } = { page: places.page || null, finish: places.finish || null };
    const run = randomUUID();
    await insertCheck(inside.db, { toolId, run, domain: tool.domain, page, finish, requestedAt: realNow() });
    await inside.queue.send(inside.db, checkJob, { run });
  });
}

/** One test adviser is needed, and a second one makes sure that they don't see each other's work. */
async function havePeople(inside: Context, tool: ToolRow): Promise<void> {
  const people = await testAdvisersOf(inside.db, tool.id);
  const open = people.filter(({ ended }) => ended === null).length;
  const more = Math.min(2 - open, maxTestAdvisers - people.length);
  for (let number = 0; number < more; number += 1) await addTestAdviser(inside, tool);
  if (open === 0 && more <= 0) throw new AppError('test_adviser_needed');
}
