import { randomUUID } from 'node:crypto';
import type { Input, Reply } from '#shared/api/endpoint.ts';
import type { developersApi, OwnTool } from '#shared/api/developers.ts';
import { draftStateOf, maxDrafts, toolIdOf, triedOut } from '#shared/rules/tools/tools.ts';
import { launchesOf } from '#server/access-tokens/service.ts';
import { audit } from '#server/audit/service.ts';
import { findTool, toolSecrets, toolSettings, type ToolRow, toolRows } from '#server/catalogue/service.ts';
import { lockActor, testAdvisers } from '#server/people/service.ts';
import { bodyOf, eventsOf, refusalsOf, subjectOf } from '#server/tools/service.ts';
import { reports, sessionsOfTokens } from '#server/usage/service.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import { type Context, inTransaction } from '#server/platform/context.ts';
import { type Db } from '#server/platform/data/database.ts';
import { consume } from '#server/platform/http/rate-limit.ts';
import { lastCheckOf } from './checks.ts';
import { missingOf } from './demands.ts';
import { addTestAdviser } from './sandbox.ts';
import { issueSecret } from './secrets.ts';

/** How much of each log the page shows. */
const shownRows = 50;
const shownReports = 200;

/** A tool that this person registered. Nobody else learns that it exists; administrators open it through `tryOut`. */
export async function requireOwnTool(db: Db, actor: ActorRow, toolId: string): Promise<ToolRow> {
  const tool = await findTool(db, toolId);
  if (tool?.ownerId !== actor.id) throw new AppError('tool_not_found');
  return tool;
}

/** Changes one of this person's own tools. It and they are locked: changes come one after another, and none after a sign-out. */
export async function onOwnTool<T>(
  context: Context,
  actor: ActorRow,
  toolId: string,
  work: (inside: Context, tool: ToolRow) => Promise<T>,
): Promise<T> {
  await consume(context, 'developerWrites', actor.id);
  return inTransaction(context, async (inside, tx) => {
    await lockActor(tx, actor);
    const tool = await toolRows.lockToolRow(tx, toolId);
    if (tool?.ownerId !== actor.id) throw new AppError('tool_not_found');
    return work(inside, tool);
  });
}

export const present = (tool: ToolRow): OwnTool => ({ ...tool, state: draftStateOf(tool), staging: stagingOf(tool) });

const stagingOf = ({ stagingDomain: domain, stagingEventsUrl, stagingAnswers, requestedAt }: ToolRow) =>
  domain === null
    ? null
    : {
        domain,
        eventsUrl: stagingEventsUrl,
        answers: stagingAnswers,
        requested: requestedAt !== null,
      };

export const listTools = async (context: Context, actor: ActorRow): Promise<OwnTool[]> =>
  (await toolRows.toolsOf(context.db, actor.id)).map(present);

/** Registers a tool with a secret of each kind and a test adviser, so that it can be tried out at once. */
export async function registerTool(
  context: Context,
  actor: ActorRow,
  { eventsUrl, domain, ...settings }: Input<typeof developersApi.register>['body'],
): Promise<Reply<typeof developersApi.register>> {
  if (!actor.emailVerified) throw new AppError('verify_first');
  await consume(context, 'developerWrites', actor.id);
  return inTransaction(context, async (inside, tx) => {
    await lockActor(tx, actor);
    if ((await toolRows.countDrafts(tx, actor.id)) >= maxDrafts) throw new AppError('drafts_full');
    const tool = await toolRows.insertTool(tx, toolIdOf(settings.name), {
      ...settings,
      domain: new URL(domain).href,
      eventsUrl: eventsUrl || null,
      basePrice: '0.00',
      isActive: false,
      ownerId: actor.id,
      subjectSalt: randomUUID(),
      createdAt: context.now(),
    });
    await audit(inside, 'tool.registered', { tool: tool.id, after: { domain: tool.domain, scopes: tool.scopes } });
    const secret = await issueSecret(inside, tool, 'call', 'First secret');
    const signingSecret = await issueSecret(inside, tool, 'signing', 'First signing secret');
    await addTestAdviser(inside, tool);
    return { tool: present(tool), secret, signingSecret };
  });
}

/** Changes settings. Those that an administrator has approved can't be changed once the tool is published. */
export const changeTool = (
  context: Context,
  actor: ActorRow,
  toolId: string,
  { eventsUrl, domain, ...settings }: Input<typeof developersApi.change>['body'],
): Promise<OwnTool> =>
  onOwnTool(context, actor, toolId, async (inside, tool) => {
    const change = {
      ...settings,
      ...(domain !== undefined && { domain: new URL(domain).href }),
    };
    const looksOther = Object.keys(change).length > 0;
    if (tool.isActive && looksOther) throw new AppError('tool_published');
    // An administrator may be looking at the old settings, so the request is taken back.
    const all = {
      ...change,
      ...(looksOther && { requestedAt: null }),
      ...(eventsUrl !== undefined && { eventsUrl: eventsUrl || null }),
    };
    if (Object.keys(all).length === 0) return present(tool);
    if (tool.isActive)
      await toolSettings.writeSettings(
        inside,
        tool,
        { eventsUrl: all.eventsUrl ?? '' },
        { reason: 'By its maker', changedBy: actor.id },
      );
    else await toolRows.updateTool(inside.db, tool.id, all);
    const before = Object.fromEntries(Object.keys(all).map((name) => [name, tool[name as keyof ToolRow]]));
    await audit(inside, 'tool.changed', { tool: tool.id, before, after: all });
    return present({ ...tool, ...all });
  });

/** One tool, with everything that its maker sees of it. */
export async function showTool(
  context: Context,
  actor: ActorRow,
  toolId: string,
): Promise<Reply<typeof developersApi.show>> {
  const { db } = context;
  const tool = await requireOwnTool(db, actor, toolId);
  const tried = triedOut(tool);
  const advisers = await testAdvisers.testAdvisersOf(db, toolId);
  const names = new Map(advisers.map(({ id, firstName, lastName }) => [id, `${firstName} ${lastName}`]));
  const whoIs = (userId: string) => names.get(userId) ?? subjectOf(tool, userId);
  const launches = await launchesOf(db, toolId, shownRows);
  const sessions = await sessionsOfTokens(
    db,
    launches.map(({ id }) => id),
  );
  const sessionOf = new Map(sessions.map((session) => [session.authTokenId, session]));
  const since = launches.at(-1)?.createdAt ?? context.now();
  const reported = await reports.reportsOf(db, toolId, sessions, since, shownReports);
  return {
    tool: present(tool),
    check: await lastCheckOf(db, toolId),
    missing: tried ? await missingOf(context, tried) : [],
    secrets: await toolSecrets.liveSecretsOf(db, toolId),
    testAdvisers: advisers.map((one) => ({ ...one, id: subjectOf(tool, one.id), name: whoIs(one.id) })),
    launches: launches.map((launch) => {
      const session = sessionOf.get(launch.id);
      return {
        ...launch,
        who: whoIs(launch.userId),
        reports: session?.reports ?? 0,
        durationSeconds: session?.durationSeconds ?? 0,
        sessionId: session?.id ?? null,
        bodies: session
          ? [
              JSON.stringify({ active: true, sub: subjectOf(tool, launch.userId), session_id: session.id }),
              ...reported.filter(({ id }) => id === session.id).map(({ body }) => body),
            ]
          : [],
      };
    }),
    refusals: await refusalsOf(db, toolId, shownRows),
    deliveries: (await eventsOf(db, toolId, shownRows)).map((event) => ({
      ...event,
      who: event.userId === null ? null : whoIs(event.userId),
      body: bodyOf(event, tool),
    })),
  };
}
