import { randomUUID } from 'node:crypto';
import type { Reply } from '#shared/api/endpoint.ts';
import type { toolsApi } from '#shared/api/tools.ts';
import { minute, plus, sydneyDate } from '#shared/rules/dates.ts';
import { countingSessions } from '#server/analytics/service.ts';
import { within, type Context } from '#server/platform/context.ts';
import { transaction } from '#server/platform/database.ts';
import { hashToken } from '#server/platform/tokens.ts';
import { accessTo } from '#server/subscriptions/service.ts';
import { consumeLaunchToken, findBearer, insertSession, sessionNamed, touchToken, upsertSession } from './queries.ts';

type Introspection = Reply<typeof toolsApi.introspect>;
type Bearer = NonNullable<Awaited<ReturnType<typeof findBearer>>>;
type Access = NonNullable<Awaited<ReturnType<typeof accessTo>>>;

const inactive: Introspection = { active: false };

/** A key in steady use writes at most this often. */
const keyTouchMs = 5 * minute;

/**
 * Who a token stands for, told to the tool it was made for (RFC 7662). Used, expired, revoked, foreign and unknown
 * tokens, lost access and closed accounts all answer the same, so that nothing can be probed.
 */
export async function introspect(context: Context, toolId: string, token: string): Promise<Introspection> {
  const hash = hashToken(token);
  const bearer = await findBearer(context.db, hash, toolId, context.now());
  if (!bearer) return inactive;
  return bearer.kind === 'api_key' ? checkKey(context, bearer, toolId) : exchangeLaunch(context, hash, toolId);
}

/** The first exchange consumes the token and opens the session, both or neither. Without access it is consumed for nothing. */
const exchangeLaunch = (context: Context, hash: string, toolId: string): Promise<Introspection> =>
  transaction(context.db, async (tx) => {
    const now = context.now();
    const bearer = await consumeLaunchToken(tx, hash, toolId, now);
    const access = bearer && (await accessTo(within(context, tx), bearer.userId, toolId));
    if (!bearer || !access) return inactive;
    const id = randomUUID();
    const times = { createdAt: now, lastAccessed: now };
    const { userId, tokenId } = bearer;
    await countingSessions(within(context, tx), userId, () =>
      insertSession(tx, { id, userId, toolId, sessionId: id, authTokenId: tokenId, ...times }),
    );
    return claims(bearer, access, toolId, id);
  });

/** A key may be shown again and again; it has one session for each day in Sydney on which it is used. */
async function checkKey(context: Context, bearer: Bearer, toolId: string): Promise<Introspection> {
  const access = await accessTo(context, bearer.userId, toolId);
  if (!access) return inactive;
  const now = context.now();
  const sessionId = `key:${bearer.tokenId}:${sydneyDate(now)}`;
  const known = await sessionNamed(context.db, sessionId);
  if (known && plus(known.lastAccessed, keyTouchMs) > now) return claims(bearer, access, toolId, known.id);
  const id = await transaction(context.db, async (tx) => {
    await touchToken(tx, bearer.tokenId, now);
    return countingSessions(within(context, tx), bearer.userId, () =>
      upsertSession(tx, { userId: bearer.userId, toolId, sessionId }, now),
    );
  });
  return claims(bearer, access, toolId, id);
}

const claims = (
  { userId, expiresAt, email, firstName, lastName, dealerGroup }: Omit<Bearer, 'kind'>,
  { status, teamName }: Access,
  toolId: string,
  sessionId: string,
): Introspection => ({
  active: true,
  sub: userId,
  tool_id: toolId,
  session_id: sessionId,
  exp: Math.floor(expiresAt.getTime() / 1000),
  email,
  name: `${firstName} ${lastName}`,
  given_name: firstName,
  family_name: lastName,
  dealer_group: dealerGroup,
  team: teamName,
  status,
});
