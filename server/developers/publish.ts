import type { OwnTool } from '#shared/api/developers.ts';
import type { Input } from '#shared/api/endpoint.ts';
import type { OfferedTool, publicationsApi, RequestedTool } from '#shared/api/operators/publications.ts';
import { centsOf, formatCents } from '#shared/rules/billing/money.ts';
import { triedOut } from '#shared/rules/tools/tools.ts';
import { accessChanged } from '#server/access-tokens/service.ts';
import { audit } from '#server/audit/service.ts';
import {
  addresses,
  agreements,
  findTool,
  listTools,
  toolSettings,
  type ToolRow,
  toolRows,
} from '#server/catalogue/service.ts';
import { notify } from '#server/notifications/service.ts';
import { administratorIds, peopleByIds, testAdvisers } from '#server/people/service.ts';
import { forAdministrators } from '#server/subscriptions/service.ts';
import { heading } from '#server/platform/mail-subject.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import { type Context, inTransaction } from '#server/platform/context.ts';
import { type Db } from '#server/platform/data/database.ts';
import { lastCheckOf } from './checks.ts';
import { missingOf, refuseUnanswered } from './demands.ts';
import { onOwnTool, present } from './own-tools.ts';

/** The maker asks for the tool to be published, or its staging twin promoted; administrators are told, and decide. */
export const requestPublication = (context: Context, actor: ActorRow, toolId: string): Promise<OwnTool> =>
  onOwnTool(context, actor, toolId, async (inside, tool) => {
    if (!triedOut(tool)) throw new AppError('no_staging');
    if (tool.requestedAt) return present(tool);
    if (!tool.description?.trim()) throw new AppError('tool_undescribed');
    const asked = { requestedAt: inside.now(), refusedFor: null };
    await toolRows.updateTool(inside.db, tool.id, asked);
    await audit(inside, 'tool.publication_asked', { tool: tool.id });
    for (const userId of await administratorIds(inside.db))
      await notify(inside, {
        userId,
        title: tool.isActive ? `${tool.name} has a new version` : `${tool.name} asks to be published`,
        message: tool.isActive
          ? 'Its maker has tried it out in staging, and asks for it to be promoted.'
          : 'Its maker has tried it out, and asks for it to be in the catalogue.',
        actionUrl: '/admin/today',
        dedupeKey: `tool-request:${tool.id}:${asked.requestedAt.toISOString()}`,
      });
    return present({ ...tool, ...asked });
  });

async function makersNames(db: Db, tools: { ownerId: string | null }[]): Promise<Map<string, string>> {
  const people = await peopleByIds(db, [...new Set(tools.flatMap(({ ownerId }) => ownerId ?? []))]);
  return new Map(people.map(({ id, firstName, lastName }) => [id, `${firstName} ${lastName}`.trim()]));
}

export async function listRequests(context: Context): Promise<RequestedTool[]> {
  const { db } = context;
  const rows = await toolRows.requestedTools(db);
  const names = await makersNames(db, rows);
  return Promise.all(
    rows.map(async (tool) => ({
      ...present(tool),
      domain: triedOut(tool)!.domain,
      requestedAt: tool.requestedAt!,
      check: await lastCheckOf(db, tool.id),
      missing: await missingOf(context, triedOut(tool)!),
      proposedCents: (await agreements.proposalOf(db, tool.id))?.priceCents ?? null,
      ownerName: names.get(tool.ownerId!) ?? '',
    })),
  );
}

type Decision = Omit<toolSettings.MakersNews, 'dedupeKey'>;

/** Carries out an administrator's decision about a tool that waits for one, and tells its maker. Of two at once, only one decides. */
const decide = (context: Context, toolId: string, work: (inside: Context, tool: ToolRow) => Promise<Decision>) =>
  inTransaction(context, async (inside, tx) => {
    const tool = await toolRows.lockToolRow(tx, toolId);
    if (!tool?.ownerId) throw new AppError('tool_not_found');
    if (!tool.requestedAt) throw new AppError('not_requested');
    const dedupeKey = `tool-decided:${tool.id}:${tool.requestedAt.toISOString()}`;
    await toolSettings.tellMaker(inside, tool, { ...(await work(inside, tool)), dedupeKey });
  });

type Accepted = { toolId: string; requestedAt: string; published: boolean };

/** Carries out a request that an administrator accepts: what is tried out lacks nothing, and answers. */
export async function accept(
  context: Context,
  { toolId, requestedAt, published }: Accepted,
  work: (inside: Context, tool: ToolRow) => Promise<Decision>,
): Promise<void> {
  const row = await findTool(context.db, toolId);
  const asked = row?.requestedAt && row.isActive === published ? triedOut(row) : null;
  // Its server is asked before the tool is locked.
  if (asked && (await missingOf(context, asked)).length === 0) await refuseUnanswered(context, asked);
  return decide(context, toolId, async (inside, tool) => {
    const isOther = tool.requestedAt?.toISOString() !== new Date(requestedAt).toISOString();
    if (tool.isActive !== published || isOther) throw new AppError('not_requested');
    const [lacks] = await missingOf(inside, triedOut(tool)!);
    if (lacks) throw new AppError(lacks);
    return work(inside, tool);
  });
}

/** Puts the tool into the catalogue. Its test advisers lose their access, and its server is told. */
export const approve = (
  context: Context,
  toolId: string,
  { priceCents, sharePercent, requestedAt }: Input<typeof publicationsApi.approve>['body'],
): Promise<void> =>
  accept(context, { toolId, requestedAt, published: false }, async (inside, tool) => {
    const proposal = (await agreements.proposalOf(inside.db, tool.id))!;
    if (proposal.priceCents !== priceCents) throw new AppError('price_not_proposed');
    await agreements.accept(inside.db, proposal.id, sharePercent, inside.now());
    const basePrice = (priceCents / 100).toFixed(2);
    await toolRows.updateTool(inside.db, tool.id, { isActive: true, basePrice, requestedAt: null, refusedFor: null });
    for (const userId of await testAdvisers.endAllOf(inside.db, tool.id)) await accessChanged(inside, { userId });
    await audit(inside, 'admin.tool_published', { tool: tool.id, after: { basePrice, sharePercent } });
    return {
      heading: heading`${tool.name} is published`,
      paragraphs: [
        `${tool.name} is in the catalogue now, for ${formatCents(priceCents)} a month, GST included.`,
        `Your share is ${sharePercent}% of what is paid, less what is refunded. The page of your tool shows it month by month.`,
        'Its test advisers have no access any more. To try out another version, make a staging twin on its page.',
      ],
    };
  });

export async function listOffered({ db }: Context): Promise<OfferedTool[]> {
  const tools = await listTools({ db });
  const names = await makersNames(db, tools);
  const subscribers = await forAdministrators.subscribersByTool(db);
  return tools
    .map((tool) => ({
      ...tool,
      ownerName: names.get(tool.ownerId ?? '') ?? null,
      priceCents: centsOf(tool.basePrice),
      hasAddress: !addresses.leadsNowhere(tool),
      ...(subscribers.get(tool.id) ?? { subscribers: 0, trials: 0 }),
    }))
    .toSorted((a, b) => a.name.localeCompare(b.name));
}

/** Closes a published tool to new subscribers, or opens it again; its maker is told why. */
export const setClosed = (context: Context, toolId: string, closed: boolean, reason: string): Promise<void> =>
  inTransaction(context, async (inside, tx) => {
    const tool = await toolRows.lockToolRow(tx, toolId);
    if (!tool?.isActive) throw new AppError('tool_not_found');
    if (closed === (tool.closedAt !== null)) throw new AppError(closed ? 'tool_is_closed' : 'tool_is_open');
    const closedAt = closed ? inside.now() : null;
    await toolRows.updateTool(tx, tool.id, { closedAt, closedFor: closed ? reason : null });
    await audit(inside, closed ? 'admin.tool_closed' : 'admin.tool_reopened', { tool: tool.id, after: { reason } });
    const about = closed ? heading`${tool.name} is closed to new subscribers` : heading`${tool.name} is open again`;
    const effect = closed
      ? 'Those who have it go on using it, and your server gets launches and events as before.'
      : 'It is in the catalogue again, and open to new subscribers.';
    await toolSettings.tellMaker(inside, tool, {
      heading: about,
      paragraphs: [`${about.title}. The reason: ${reason}`, effect],
      dedupeKey: `tool-closed:${tool.id}:${inside.now().toISOString()}`,
    });
  });

/**
 * Closes what a suspended maker has published, until an administrator opens it again; returns the names. Requests are refused first:
 * that waits for an approval under way, whose tool then counts as published.
 */
export async function closeMakersTools(inside: Context, ownerId: string): Promise<string[]> {
  const reason = 'Its maker is suspended.';
  for (const { id } of await toolRows.refuseRequestsOf(inside.db, ownerId, reason))
    await audit(inside, 'admin.tool_refused', { tool: id, after: { reason } });
  const closed = await toolRows.closeToolsOf(inside.db, ownerId, reason, inside.now());
  for (const { id } of closed) await audit(inside, 'admin.tool_closed', { tool: id, after: { reason } });
  return closed.map(({ name }) => name);
}

export const refuse = (context: Context, toolId: string, reason: string): Promise<void> =>
  decide(context, toolId, async (inside, tool) => {
    await toolRows.updateTool(inside.db, tool.id, { requestedAt: null, refusedFor: reason });
    await audit(inside, 'admin.tool_refused', { tool: tool.id, after: { reason } });
    return {
      heading: heading`${tool.name} was not ${tool.isActive ? 'promoted' : 'published'}`,
      paragraphs: [
        `We have not ${tool.isActive ? 'promoted the staging twin of' : 'published'} ${tool.name}. The reason: ${reason}`,
        'You can go on trying it out, and ask again whenever it is ready.',
      ],
    };
  });
