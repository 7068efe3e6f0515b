import { textsOf } from '#shared/rules/tools/tool-texts.ts';
import { catalogue, iconOf, seededTiers } from '#shared/rules/tools/tools.ts';
import { newTool } from '#shared/schema/tools.ts';
import type { Context } from '#server/platform/context.ts';
import type { Db } from '#server/platform/data/database.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import { placeholder } from './addresses.ts';
import { activeTools, findTool, insertFirstTiers, insertMissingTools } from './queries.ts';

export { catalogueTool, findTool, otherOwnTool, priceDecisions, tierSchedule, tiersNow, toolName } from './queries.ts';
export * as codeRows from './queries-codes.ts';
export type { DiscountCodeRow } from './queries-codes.ts';
export * as addresses from './addresses.ts';
export * as codes from './discount-codes.ts';
export * as agreements from './queries-agreements.ts';
export * as pricing from './queries-pricing.ts';
export * as toolSecrets from './queries-secrets.ts';
export * as toolSettings from './settings.ts';
export * as toolRows from './queries-tools.ts';
export type { ToolRow } from './queries-tools.ts';

const position = new Map(catalogue.map((tool, index) => [tool.id, index]));
const positionOf = (toolId: string) => position.get(toolId) ?? catalogue.length;

/** The tools on offer, in the catalogue's order; those the operator added follow by name. */
export async function listTools(context: Pick<Context, 'db'>) {
  const rows = await activeTools(context.db);
  return rows
    .map((row) => ({
      ...row,
      icon: iconOf(row),
      closed: row.closedAt !== null,
    }))
    .toSorted((a, b) => positionOf(a.id) - positionOf(b.id));
}

/** What a tool on offer says about itself. */
export async function toolTexts({ db }: Pick<Context, 'db'>, toolId: string) {
  const tool = await findTool(db, toolId);
  if (!tool?.isActive) throw new AppError('tool_not_found');
  return { ...textsOf(tool), scopes: tool.scopes };
}

/**
 * Adds missing tools, and the volume discounts where there are none at all. What an administrator or operator changed stays,
 * since an existing tool is never written. Any number of replicas may do this at once.
 */
export async function seedCatalogue(db: Db, domainOf: (toolId: string) => string = placeholder): Promise<void> {
  await insertMissingTools(
    db,
    catalogue.map(({ id, name, description, basePrice, comingSoon = false, minutesSaved }) =>
      newTool.parse({ id, name, description, basePrice, comingSoon, minutesSaved, domain: domainOf(id) }),
    ),
  );
  await insertFirstTiers(db, [...seededTiers]);
}
