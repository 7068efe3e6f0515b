import { toolRefusal } from '#shared/rules/billing/subscriptions.ts';
import { triedOut } from '#shared/rules/tools/tools.ts';
import { findTool, type ToolRow } from '#server/catalogue/service.ts';
import { practices } from '#server/payers/service.ts';
import { findToolPerson } from '#server/people/service.ts';
import { rights } from '#server/subscriptions/service.ts';
import { shutFor } from '#server/teams/service.ts';
import type { Context } from '#server/platform/context.ts';
import type { Db } from '#server/platform/data/database.ts';

export type Access = Pick<
  NonNullable<Awaited<ReturnType<typeof rights.findAccess>>>,
  | 'status'
  | 'teamId'
  | 'teamName'
  | 'autoRenew'
  | 'endDate'
  | 'trialEndDate'
  | 'gracePeriodEnd'
  | 'cardOnFile'
  | 'needsClient'
>;

/** Why somebody may not use a tool. */
export type Shut =
  | 'subscription_required'
  | 'team_address_unproved'
  | 'team_factor_required'
  | 'team_microsoft_required'
  | 'tool_not_allowed';

/** A test adviser's access, which has no end date. */
const testAccess: Access = {
  status: 'active',
  teamId: null,
  teamName: null,
  autoRenew: true,
  endDate: null,
  trialEndDate: null,
  gracePeriodEnd: null,
  cardOnFile: false,
  needsClient: false,
};

/**
 * The subscription that lets this person use the tool now, or why they may not: they have none or are suspended, their address is
 * not proved, their team asks for a second factor or a Microsoft account that they don't have, or doesn't allow the tool, whoever pays.
 * Asked at each launch, and throughout a session or an API key.
 */
export async function accessOf(context: Context, userId: string, toolId: string): Promise<Access | Shut> {
  const person = await findToolPerson(context.db, userId);
  if (person?.testOf) return person.testOf === toolId && person.ended === null ? testAccess : 'subscription_required';
  const [access, rules] =
    person?.suspendedAt === null
      ? await Promise.all([rights.findAccess(context, userId, toolId), practices.toolRulesFor(context.db, userId)])
      : [null, []];
  if (!person || !access) return 'subscription_required';
  if (toolRefusal(rules, toolId)) return 'tool_not_allowed';
  const shut = access.teamId === null ? null : await shutFor(context, access.teamId, person);
  return shut ?? access;
}

/** The tool, with the address for events about this person, or itself: a published tool's test advisers are its staging twin's. */
export async function toolTelling(db: Db, toolId: string, userId: string | null): Promise<ToolRow | null> {
  const tool = await findTool(db, toolId);
  const tried = tool?.isActive ? triedOut(tool) : null;
  const isTester = tried && userId !== null && (await findToolPerson(db, userId))?.testOf === toolId;
  return isTester ? tried : tool;
}

/** Their access; null where they may not use it. */
export async function openAccess(context: Context, userId: string, toolId: string): Promise<Access | null> {
  const access = await accessOf(context, userId, toolId);
  return typeof access === 'string' ? null : access;
}
