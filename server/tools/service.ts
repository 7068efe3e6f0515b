import { catalogue } from '#shared/rules/tools.ts';
import { day, plus } from '#shared/rules/dates.ts';
import type { Context } from '#server/platform/context.ts';
import { activeTools, revokeTokens, usageSince } from './queries.ts';

const usageDays = 90;
const usageRows = 500;

const place = new Map(catalogue.map((tool, index) => [tool.id, index]));
const placeOf = (toolId: string) => place.get(toolId) ?? catalogue.length;

/** The tools on offer, in the catalogue's order; those the operator added follow by name. */
export async function listTools(context: Context) {
  const rows = await activeTools(context.db);
  return rows.toSorted((a, b) => placeOf(a.id) - placeOf(b.id));
}

/** An adviser's sessions, the last used first (decisions §16). */
export const recentUsage = (context: Context, userId: string) =>
  usageSince(context.db, userId, plus(context.now(), -usageDays * day), usageRows);

/** Launch tokens and API keys of these people for the tool die at once (decisions §5). */
export const endTokens = (context: Context, userIds: string[], toolId: string) =>
  revokeTokens(context.db, userIds, toolId);
