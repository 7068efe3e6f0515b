import { randomBytes, randomUUID } from 'node:crypto';
import { hashToken, newToken } from '#server/platform/crypto/tokens.ts';
import { profile, registration } from '../newcomer.ts';
import { startServer, type Server } from '../production-server.ts';
import { expect, random, until } from '../until.ts';
import type { Database } from './postgres.ts';

type Asking = Pick<Database, 'query'>;

export type Adviser = { id: string; email: string; cookie: string };

export const toolIds = ['risk-profile-ai', 'fact-find-ai', 'file-note-ai', 'pre-fill-ai', 'share-advice-ai'] as const;

/** An address at random, so that limits by address count each call apart. */
export const someAddress = () => `10.${random(250)}.${random(250)}.${random(250)}`;

type Call = { method?: string; body?: unknown; cookie?: string; headers?: Record<string, string> };

/** One call of the API: JSON in, the raw response out. */
export const call = (
  server: Pick<Server, 'base'>,
  path: string,
  { method, body, cookie = '', headers = {} }: Call = {},
) =>
  fetch(server.base + path, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      'x-forwarded-for': someAddress(),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(cookie && { cookie }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

/** Signs up through HTTP and completes the profile; SQL says whether the address is verified, as no mail is read. */
export async function signUp(server: Pick<Server, 'base'>, database: Asking, verified = true): Promise<Adviser> {
  const email = `adviser-${randomBytes(5).toString('hex')}@practice.example`;
  // A loaded machine may answer "busy"; then nobody was signed up.
  const { value: answer } = await until('the server takes a sign-up', 30_000, async () => {
    const tried = await call(server, '/api/register', { body: registration(email) });
    return tried.status !== 503 && tried;
  });
  expect(answer.status === 201, `sign-up answered ${answer.status}: ${await answer.clone().text()}`);
  const { id } = (await answer.json()) as { id: string };
  const [cookie] = answer.headers.getSetCookie().flatMap((line) => /^sid=[^;]+/.exec(line) ?? []);
  expect(cookie, 'sign-up set no session cookie');
  const completed = await call(server, '/api/user/complete-profile', { body: profile, cookie });
  expect(completed.ok, `the profile answered ${completed.status}: ${await completed.clone().text()}`);
  // Production sells no tool without an address of its own.
  await database.query(
    `update tools set domain = 'https://' || id || '.tools.example' where domain like '%.adviserly.example'`,
  );
  await database.query('update users set email_verified = $2 where id = $1', [id, verified]);
  return { id, email, cookie };
}

/** Gives the adviser the tool, free of charge, so that it can be launched. */
export const grantTool = (database: Asking, adviser: Adviser, toolId: string) =>
  database.query(`insert into tool_subscriptions (user_id, tool_id, status, revision) values ($1, $2, 'active', 1)`, [
    adviser.id,
    toolId,
  ]);

export type Tool = { id: string; headers: Record<string, string> };

/** Makes a tool's secret; returns the credentials of its server. */
export async function toolWithSecret(database: Database, id: string): Promise<Tool> {
  const secret = newToken();
  await database.query('insert into tool_secrets (tool_id, secret_hash) values ($1, $2)', [id, hashToken(secret)]);
  return { id, headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` } };
}

/** Opens a session that the tool can report on. */
export async function openSession(database: Database, adviser: Adviser, toolId: string): Promise<string> {
  const id = randomUUID();
  await database.query('insert into tool_usage (id, user_id, tool_id, session_id) values ($1, $2, $3, $4)', [
    id,
    adviser.id,
    toolId,
    id,
  ]);
  return id;
}

/** A server, an adviser, and a session whose use the tool may report. */
export async function startReporting(database: Database, toolId = 'risk-profile-ai') {
  const server = await startServer(database);
  const adviser = await signUp(server, database);
  const tool = await toolWithSecret(database, toolId);
  return { server, adviser, tool, session: await openSession(database, adviser, tool.id) };
}

export type Report = { event_id: string; session_id: string; duration_seconds: number };

/** `size` events nobody reported before. */
export const newReports = (session: string, size: number, duration = 60): Report[] =>
  Array.from({ length: size }, () => ({ event_id: randomUUID(), session_id: session, duration_seconds: duration }));

/** How many of these events are stored. */
export const countStored = (database: Database, events: Report[]) =>
  database.count('select count(distinct event_id) from usage_analytics where event_id = any($1)', [
    events.map((event) => event.event_id),
  ]);

export const sendReports = (server: Pick<Server, 'base'>, tool: Tool, events: Report[]) =>
  call(server, '/api/tools/usage', { body: { events }, headers: tool.headers });

/** Sends reports; returns the status (0 if no answer came), how many were accepted, and the text. */
export async function report(server: Pick<Server, 'base'>, tool: Tool, events: Report[]) {
  try {
    const answer = await sendReports(server, tool, events);
    const text = await answer.text();
    if (!answer.ok) return { status: answer.status, accepted: 0, text };
    const items = (JSON.parse(text) as { events: { accepted: boolean }[] }).events;
    return { status: answer.status, accepted: items.filter((event) => event.accepted).length, text };
  } catch (error) {
    const cause = error instanceof Error ? (error.cause as { code?: string } | undefined)?.code : undefined;
    return { status: 0, accepted: 0, text: cause ?? String(error) };
  }
}
