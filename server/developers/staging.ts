import type { OwnTool } from '#shared/api/developers.ts';
import type { Disclosure } from '#shared/rules/record/disclosure.ts';
import { triedOut } from '#shared/rules/tools/tools.ts';
import { audit } from '#server/audit/service.ts';
import { type ToolRow, toolRows, toolSettings } from '#server/catalogue/service.ts';
import { disclose } from '#server/record/service.ts';
import { heading } from '#server/platform/mail-subject.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { answersOf } from './checks.ts';
import { present } from './own-tools.ts';
import { accept } from './publish.ts';
import { requireTriedOut } from './sandbox.ts';

/** Changes the staging twin. A request for its promotion is taken back, since an administrator may be looking at what it was. */
async function write(
  inside: Context,
  tool: ToolRow,
  change: Partial<Pick<ToolRow, 'stagingDomain' | 'stagingEventsUrl' | 'stagingAnswers'>>,
): Promise<OwnTool> {
  const all = { ...change, requestedAt: null };
  await toolRows.updateTool(inside.db, tool.id, all);
  const { stagingDomain, stagingEventsUrl } = { ...tool, ...all };
  await audit(inside, 'tool.changed', { tool: tool.id, after: { stagingDomain, stagingEventsUrl } });
  return present({ ...tool, ...all });
}

/** Says where the staging twin of a published tool is, which its test advisers open. */
export function stage(inside: Context, tool: ToolRow, to: { domain: string; eventsUrl: string }): Promise<OwnTool> {
  if (!tool.isActive) throw new AppError('not_published');
  return write(inside, tool, { stagingDomain: new URL(to.domain).href, stagingEventsUrl: to.eventsUrl || null });
}

/** Keeps what its maker says of the staging twin, until it is promoted. */
export function stageAnswers(inside: Context, tool: ToolRow, stagingAnswers: Disclosure): Promise<OwnTool> {
  if (!tool.isActive) throw new AppError('not_published');
  requireTriedOut(tool);
  return write(inside, tool, { stagingAnswers });
}

/**
 * Gives a published tool the addresses of its staging twin and the answers that wait with it. Its id, secrets and sessions stay, so
 * that nothing has to be set anew.
 */
export const promote = (context: Context, toolId: string, requestedAt: string): Promise<void> =>
  accept(context, { toolId, requestedAt, published: true }, async (inside, tool) => {
    const { domain, eventsUrl } = triedOut(tool)!;
    const { version } = (await answersOf(inside.db, tool))!;
    const what = version ? `Version ${version}` : 'What was in staging';
    const why = { reason: `${what} was promoted from staging`, changedBy: tool.ownerId };
    await toolSettings.writeSettings(inside, tool, { domain, eventsUrl: eventsUrl ?? '' }, why);
    if (tool.stagingAnswers) await disclose(inside, tool.id, tool.ownerId!, tool.stagingAnswers);
    const decided = { requestedAt: null, refusedFor: null, stagingAnswers: null };
    await toolRows.updateTool(inside.db, tool.id, decided);
    await audit(inside, 'admin.tool_promoted', { tool: tool.id, after: { domain, version: version ?? '' } });
    return {
      heading: heading`${what} of ${tool.name} is live`,
      paragraphs: [`Advisers open ${tool.name} at ${domain} now.`, 'Sessions that are open go on where they are.'],
    };
  });
