import type { Reply } from '#shared/api/endpoint.ts';
import type { recordApi } from '#shared/api/record.ts';
import { type Disclosure, nothingStated } from '#shared/rules/record/disclosure.ts';
import { sydneyDate } from '#shared/rules/dates.ts';
import { audit } from '#server/audit/service.ts';
import { findTool } from '#server/catalogue/service.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { announcementsOf } from './queries-announcements.ts';
import { findDisclosure, insertDisclosure, versionsOf } from './queries.ts';

/** What the maker of a tool says about it, now or in an earlier version. Only tools in the catalogue have a page; makers see their own. */
export async function disclosureOf(
  context: Context,
  readerId: string | null,
  toolId: string,
  { version, since }: { version?: number | undefined; since?: number | undefined } = {},
): Promise<Reply<typeof recordApi.disclosure>> {
  const tool = await findTool(context.db, toolId);
  if (!tool || (!tool.isActive && tool.ownerId !== readerId)) throw new AppError('tool_not_found');
  const said = await findDisclosure(context.db, toolId, version);
  const history = await versionsOf(context.db, toolId);
  const before = since ?? history.find((one) => one.version < (said?.version ?? 0))?.version;
  const earlier = before === undefined ? null : await findDisclosure(context.db, toolId, before);
  if ((version !== undefined && !said) || (since !== undefined && !earlier)) throw new AppError('not_found');
  return {
    tool,
    isOurs: tool.ownerId === null,
    scopes: tool.scopes,
    version: said?.version ?? null,
    madeAt: said?.madeAt ?? null,
    answers: said?.answers ?? nothingStated,
    earlier: earlier ? { version: earlier.version, answers: earlier.answers } : null,
    history,
    announcements: (await announcementsOf(context.db, [toolId]))
      .filter(({ onDay }) => onDay >= sydneyDate(context.now()))
      .toSorted((a, b) => a.onDay.localeCompare(b.onDay)),
  };
}

/** Adds a version of what is said about a tool, in the caller's transaction, which has locked the tool. */
export async function disclose(
  context: Context,
  toolId: string,
  madeById: string,
  answers: Disclosure,
): Promise<{ version: number }> {
  const version = await insertDisclosure(context.db, { toolId, answers, madeById, madeAt: context.now() });
  await audit(context, 'tool.disclosed', { tool: toolId, after: { version } });
  return { version };
}
