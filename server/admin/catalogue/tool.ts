import type { Reply } from '#shared/api/endpoint.ts';
import type { catalogueApi } from '#shared/api/operators/catalogue.ts';
import type { Disclosure } from '#shared/rules/record/disclosure.ts';
import { settingText, toolSettings } from '#shared/rules/tools/tool-settings.ts';
import { findTool, toolSecrets, toolSettings as stored, type ToolRow, toolRows } from '#server/catalogue/service.ts';
import { announce, disclose } from '#server/record/service.ts';
import { issueSecret, withdrawSecret } from '#server/developers/service.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import { type Context, within } from '#server/platform/context.ts';
import { transaction } from '#server/platform/data/database.ts';
import { namesById } from '../people/queries-names.ts';

/** The tool, if it is in the catalogue; an unpublished one is its maker's alone. */
const inCatalogue = (tool: ToolRow | null): ToolRow => {
  if (!tool?.isActive) throw new AppError('tool_not_found');
  return tool;
};

export async function showTool(context: Context, toolId: string): Promise<Reply<typeof catalogueApi.tool>> {
  const { db } = context;
  const tool = inCatalogue(await findTool(db, toolId));
  const [secrets, rows] = await Promise.all([
    toolSecrets.liveSecretsOf(db, toolId),
    toolRows.toolChangesOf(db, toolId),
  ]);
  const people = [tool.ownerId, ...rows.map(({ changedBy }) => changedBy)].filter((id) => id !== null);
  const names = await namesById(db, people);
  const { id, version, closedAt, closedFor, ownerId } = tool;
  return {
    id,
    version,
    settings: stored.settingsOf(tool),
    ownerName: ownerId === null ? null : (names.get(ownerId) ?? 'a former maker'),
    closedAt,
    closedFor,
    secrets,
    history: rows.map(({ before, after, changedBy, ...row }) => ({
      ...row,
      by: changedBy === null ? 'An operator' : (names.get(changedBy) ?? 'A former administrator'),
      changes: toolSettings
        .filter((setting) => after[setting] !== undefined)
        .map((setting) => ({
          setting,
          before: settingText(before[setting]),
          after: settingText(after[setting]),
        })),
    })),
  };
}

const onTool = <T>(
  context: Context,
  toolId: string,
  work: (inside: Context, tool: ToolRow) => Promise<T>,
): Promise<T> =>
  transaction(context.db, async (tx) => work(within(context, tx), inCatalogue(await toolRows.lockToolRow(tx, toolId))));

/** For what a maker does for their tool, and we for ours. */
const onOurTool: typeof onTool = (context, toolId, work) =>
  onTool(context, toolId, (inside, tool) => {
    if (tool.ownerId !== null) throw new AppError('not_our_tool');
    return work(inside, tool);
  });

export const makeSecretFor = (
  context: Context,
  toolId: string,
  kind: 'call' | 'signing',
  name: string,
): Promise<string> => onOurTool(context, toolId, (inside, tool) => issueSecret(inside, tool, kind, name));

/** States what practices ask about a tool of our own, as its maker. */
export const discloseOurs = (
  context: Context,
  actor: ActorRow,
  toolId: string,
  answers: Disclosure,
): Promise<{ version: number }> => onOurTool(context, toolId, (inside) => disclose(inside, toolId, actor.id, answers));

/** Announces what will change about a tool of our own, as its maker. */
export const announceOurs = (
  context: Context,
  actor: ActorRow,
  toolId: string,
  said: Parameters<typeof announce>[3],
): Promise<{ id: string }> => onOurTool(context, toolId, (inside, tool) => announce(inside, tool, actor.id, said));

export const revokeSecretOf = (context: Context, toolId: string, id: string): Promise<void> =>
  onTool(context, toolId, (inside, tool) => withdrawSecret(inside, tool, id));
