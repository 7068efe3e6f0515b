import { randomUUID } from 'node:crypto';
import type { Input, Reply } from '#shared/api/endpoint.ts';
import { errors } from '#shared/api/errors.ts';
import type { toolsApi } from '#shared/api/tools.ts';
import { minute, plus, sydneyDate } from '#shared/rules/dates.ts';
import { launchTokenMinutes, type ToolScope } from '#shared/rules/tools/tools.ts';
import {
  consumeLaunchToken,
  findBearer,
  findExchanged,
  insertLaunchToken,
  touchToken,
} from '#server/access-tokens/service.ts';
import { countingSessions } from '#server/analytics/service.ts';
import { findTool } from '#server/catalogue/service.ts';
import {
  findSession,
  findSessionOfToken,
  findSessionsOfTool,
  insertSession,
  upsertSession,
} from '#server/usage/service.ts';
import { lockActor } from '#server/people/service.ts';
import type { ActorRow, SignedIn } from '#server/platform/http/actor.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import { type Context, inTransaction } from '#server/platform/context.ts';
import { transaction } from '#server/platform/data/database.ts';
import { consume } from '#server/platform/http/rate-limit.ts';
import { hashToken, newToken } from '#server/platform/crypto/tokens.ts';
import { type Access, accessOf, openAccess } from './access.ts';
import { rememberPerson } from './queries-people.ts';
import { subjectOf } from './subject.ts';

type OpenedFor = Omit<Input<typeof toolsApi.launch>['body'], 'toolId'>;

/** `POST /api/auth/token`: opens a tool of the catalogue, for a client where one is named. */
export async function launch(
  context: Context,
  actor: ActorRow,
  { toolId, ...openedFor }: Input<typeof toolsApi.launch>['body'],
) {
  const tool = await findTool(context.db, toolId);
  if (!tool?.isActive) throw new AppError('tool_not_found');
  if (tool.stoppedAt) throw new AppError('tool_stopped');
  return launchTool(context, actor.id, tool, { openedFor, by: actor });
}

/** What the practice asks for that was not given. */
function missingIn({ clientReference, purpose }: OpenedFor, teamName: string | null): Record<string, string> {
  return {
    ...(clientReference === undefined && { clientReference: `${teamName} asks for a file number at each launch` }),
    ...(purpose === undefined && { purpose: `${teamName} asks for a purpose at each launch` }),
  };
}

/** Makes a one-time token for a tool this person may open, and the address that opens it; none by a session that has ended since. */
export async function launchTool(
  context: Context,
  userId: string,
  tool: { id: string; domain: string },
  { openedFor = {}, by }: { openedFor?: OpenedFor; by?: SignedIn } = {},
) {
  const toolId = tool.id;
  await consume(context, 'launchUserTool', `${userId}:${toolId}`);
  const access = await accessOf(context, userId, toolId);
  if (typeof access === 'string') throw new AppError(access);
  const fields = access.needsClient ? missingIn(openedFor, access.teamName) : {};
  if (Object.keys(fields).length > 0) throw new AppError('invalid_input', { fields });

  const now = context.now();
  const token = newToken();
  const expiresAt = plus(now, launchTokenMinutes * minute);
  const opened = { userId, toolId, token: hashToken(token), expiresAt, createdAt: now };
  await transaction(context.db, async (tx) => {
    if (by) await lockActor(tx, by);
    await insertLaunchToken(tx, { ...opened, ...openedFor });
  });

  const url = new URL(tool.domain);
  url.searchParams.set('auth_token', token);
  return { token, url: url.href, expiresAt };
}

type Introspection = Reply<typeof toolsApi.introspect>;
type Bearer = NonNullable<Awaited<ReturnType<typeof findBearer>>>;

type Active = Introspection & { active: true };

const inactive = { active: false } as const;

/** How long a tool may keep the answer about a key: resource servers keep it until `exp` (RFC 7662, 4), and a key may be revoked before. */
const keyAnswerMs = minute;

/** A key in steady use writes to the database at most this often. */
const keyTouchMs = 5 * minute;

/**
 * Tells a tool who a token stands for (RFC 7662). Used, expired, revoked and unknown tokens, those of other tools, lost
 * access and closed accounts all get the same answer, so that nothing can be probed.
 */
export async function introspect(
  context: Context,
  toolId: string,
  token: string,
  idempotencyKey?: string,
): Promise<Introspection> {
  const hash = hashToken(token);
  const bearer = await findBearer(context.db, hash, toolId);
  if (!bearer) return inactive;
  const isLaunch = bearer.kind === 'launch';
  // A used token is answered again only with an idempotency key, since the first answer may have been lost. A recall may have stopped the
  // tool since the launch.
  const isOver = isLaunch && bearer.usedAt ? !idempotencyKey : bearer.expiresAt <= context.now();
  if (isOver || (isLaunch && bearer.stoppedAt && !bearer.usedAt)) return inactive;
  const answer = await (bearer.kind === 'api_key'
    ? checkKey(context, bearer, toolId, bearer.stoppedAt !== null)
    : exchangeLaunch(context, hash, toolId, idempotencyKey));
  return answer.active ? { ...onlyScopes(answer, bearer.scopes), sub: subjectOf(bearer, answer.sub) } : answer;
}

/** Leaves out what this tool's scopes don't give it of a person. */
function onlyScopes(answer: Active, scopes: ToolScope[]): Active {
  const { email: _e, name: _n, given_name: _g, family_name: _f, dealer_group: _d, team: _t, ...rest } = answer;
  const given = Object.fromEntries(scopes.flatMap((scope) => fieldsOf[scope].map((field) => [field, answer[field]])));
  return { ...rest, ...given };
}
const fieldsOf = {
  name: ['name', 'given_name', 'family_name'],
  email: ['email'],
  dealer_group: ['dealer_group'],
  team: ['team'],
} as const satisfies Record<ToolScope, readonly string[]>;

/** How long a tool may ask again for an answer that it lost. */
const repeatMs = minute;

/** Repeats the answer to an exchange that was made with this key before. */
async function repeatExchange(context: Context, hash: string, toolId: string, key: string): Promise<Introspection> {
  const bearer = await findExchanged(context.db, hash, toolId, key, plus(context.now(), -repeatMs));
  const session = bearer && (await findSessionOfToken(context.db, bearer.tokenId));
  const access = session && (await openAccess(context, bearer.userId, toolId));
  return access ? claims(bearer, access, toolId, session.id) : inactive;
}

/** The first exchange uses the token up and opens the session, both or neither. Without access the token is used up too. */
const exchangeLaunch = (context: Context, hash: string, toolId: string, given?: string): Promise<Introspection> =>
  inTransaction(context, async (inside, tx) => {
    const now = context.now();
    const key = given ? hashToken(given) : null;
    const bearer = await consumeLaunchToken(tx, hash, toolId, now, key);
    if (!bearer && key) return repeatExchange(inside, hash, toolId, key);
    const access = bearer && (await openAccess(inside, bearer.userId, toolId));
    if (!bearer || !access) return inactive;
    const id = randomUUID();
    const times = { createdAt: now, lastAccessed: now };
    const { userId, tokenId, clientReference, purpose } = bearer;
    const { teamId } = access;
    const opened = { userId, toolId, teamId, sessionId: id, authTokenId: tokenId, ...times };
    await countingSessions(inside, userId, () =>
      insertSession(tx, {
        id,
        ...opened,
        ...(clientReference && { clientReference, referenceFrom: 'adviser' as const, fromLaunch: true }),
        ...(purpose && { purpose, purposeFrom: 'adviser' as const, fromLaunch: true }),
      }),
    );
    await rememberPerson(tx, { userId, toolId, teamId }, now);
    return claims(bearer, access, toolId, id);
  });

/** A key may be presented any number of times; it has one session for each day in Sydney on which it is used. */
async function checkKey(context: Context, bearer: Bearer, toolId: string, stopped: boolean): Promise<Introspection> {
  const access = await accessOf(context, bearer.userId, toolId);
  // The only reasons we give: the key is right, and its owner can fix this.
  if (access === 'team_factor_required' || access === 'team_microsoft_required')
    return { ...inactive, reason: access, message: errors[access][1] };
  if (typeof access === 'string') return inactive;
  const now = context.now();
  const sessionId = `key:${bearer.tokenId}:${sydneyDate(now)}`;
  const known = await findSession(context.db, sessionId);
  if (stopped && !known) return inactive;
  const answer = (id: string): Introspection => ({
    ...claims(bearer, access, toolId, id),
    exp: seconds(Math.min(bearer.expiresAt.getTime(), now.getTime() + keyAnswerMs)),
    key_expires_at: seconds(bearer.expiresAt.getTime()),
  });
  if (known && plus(known.lastAccessed, keyTouchMs) > now) return answer(known.id);
  const id = await inTransaction(context, async (inside, tx) => {
    await touchToken(tx, bearer.tokenId, now);
    await rememberPerson(tx, { userId: bearer.userId, toolId, teamId: access.teamId }, now);
    return countingSessions(inside, bearer.userId, () =>
      upsertSession(tx, { userId: bearer.userId, toolId, sessionId, teamId: access.teamId }, now),
    );
  });
  return answer(id);
}

const seconds = (ms: number) => Math.floor(ms / 1000);

const claims = (
  {
    userId,
    expiresAt,
    email,
    firstName,
    lastName,
    dealerGroup,
    clientReference,
    purpose,
  }: Omit<Bearer, 'kind' | 'scopes' | 'stoppedAt' | 'subjectSalt' | 'token' | 'toolId' | 'usedAt'>,
  { status, teamName }: Access,
  toolId: string,
  sessionId: string,
): Active => ({
  active: true,
  sub: userId,
  tool_id: toolId,
  session_id: sessionId,
  exp: seconds(expiresAt.getTime()),
  email,
  name: `${firstName} ${lastName}`,
  given_name: firstName,
  family_name: lastName,
  dealer_group: dealerGroup,
  team: teamName,
  status,
  client_reference: clientReference,
  purpose,
});

/** `GET /api/tools/sessions/{id}`: whether the session may go on. Another tool's session is unknown. */
export async function sessionStatus(
  context: Context,
  toolId: string,
  id: string,
): Promise<Reply<typeof toolsApi.session>> {
  const [session] = await findSessionsOfTool(context.db, toolId, [id]);
  const tool = await findTool(context.db, toolId);
  if (!session || !tool) throw new AppError('session_not_found');
  const access = await openAccess(context, session.userId, toolId);
  return {
    session_id: session.id,
    sub: subjectOf(tool, session.userId),
    access: access !== null,
    status: access?.status ?? null,
    started_at: session.createdAt,
  };
}
