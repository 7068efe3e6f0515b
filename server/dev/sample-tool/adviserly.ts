import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Everything a tool's server needs to talk to Adviserly: copy this file. It depends on nothing but Node. The calls are
 * described at /api/docs; make them from your server, never from the browser, since they carry the tool's secret.
 */
export type Adviserly = { apiUrl: string; toolId: string; secret: string };

/** Who opened the tool: the introspection's answer (RFC 7662). */
export type Launch = {
  active: true;
  /** The adviser; this id never changes. */
  sub: string;
  /** Send it back with every usage report. */
  session_id: string;
  status: string;
  /** The file number that the adviser opened the tool for, never a name, and what for; null where they did not say. */
  client_reference: string | null;
  purpose: string | null;
  /** From here on, only what your tool asked for when it was registered. */
  email?: string;
  name?: string;
  given_name?: string;
  family_name?: string;
  dealer_group?: string | null;
  team?: string | null;
};

export type Usage = {
  /** Your own unique id. A report that is sent twice counts once, so send it again whenever you are not sure. */
  event_id: string;
  session_id: string;
  duration_seconds: number;
  actions_performed?: number;
  data_processed?: number;
  performance_score?: number;
  /** For the record of AI use: the version used, the purpose (a word from the guide's list), and the client's file number, never a name. */
  version?: string;
  purpose?: string;
  client_reference?: string;
};

const post = async ({ apiUrl, toolId, secret }: Adviserly, path: string, body: URLSearchParams | string) => {
  const answer = await fetch(new URL(path, apiUrl), {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${toolId}:${secret}`).toString('base64')}`,
      'content-type': typeof body === 'string' ? 'application/json' : 'application/x-www-form-urlencoded',
    },
    body,
    signal: AbortSignal.timeout(10_000),
  });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  return answer.json() as Promise<unknown>;
};

/** Exchanges the auth_token from the launch address. It works once, within five minutes; null if it is not accepted. */
export async function exchange(adviserly: Adviserly, authToken: string): Promise<Launch | null> {
  if (authToken === '' || authToken.length > 500) return null;
  const answer = (await post(adviserly, '/api/tools/introspect', new URLSearchParams({ token: authToken }))) as
    Launch | { active: false };
  return answer.active ? answer : null;
}

/** `refused`: null if the report was accepted, now or before, else the reason. End the session if `access` is false. */
export type Reported = { refused: string | null; access: boolean };

/** Reports what was done. */
export async function report(adviserly: Adviserly, usage: Usage): Promise<Reported> {
  const { events } = (await post(adviserly, '/api/tools/usage', JSON.stringify({ events: [usage] }))) as {
    events: { accepted: boolean; access: boolean | null; reason?: string; field?: string; message?: string }[];
  };
  const [first] = events;
  const access = first?.access !== false;
  if (first?.accepted) return { refused: null, access };
  // Shown to whoever typed it.
  if (first?.field === 'client_reference') return { refused: first.message ?? 'invalid', access };
  return { refused: first?.reason ?? 'unanswered', access };
}

/** An event from Adviserly; further types may come. */
export type AdviserlyEvent = {
  type: 'access.ended' | 'access.restored' | 'member.removed' | 'account.closed' | 'person.erase';
  data: { sub: string; tool_id: string; reason?: string; erasure_id?: string };
};

/**
 * The event in a request, if it is signed with this `whsec_…` secret and less than five minutes away (Standard Webhooks); else null.
 * The body is the bytes as they came, not text.
 */
export function readEvent(
  signingSecret: string,
  headers: Record<string, string | string[] | undefined>,
  body: Buffer,
): AdviserlyEvent | null {
  const timestamp = Number(headers['webhook-timestamp']);
  if (!(Math.abs(new Date().getTime() / 1000 - timestamp) < 300)) return null;
  const key = Buffer.from(signingSecret.replace('whsec_', ''), 'base64');
  const expected = createHmac('sha256', key)
    .update(`${String(headers['webhook-id'])}.${timestamp}.`)
    .update(body)
    .digest();
  const isOurs = (one: string) => {
    const given = Buffer.from(one.replace(/^v1,/, ''), 'base64');
    return one.startsWith('v1,') && given.length === expected.length && timingSafeEqual(given, expected);
  };
  const signatures = String(headers['webhook-signature']).split(' ');
  return signatures.some(isOurs) ? (JSON.parse(String(body)) as AdviserlyEvent) : null;
}

/** Whether to end this person's sessions: at every event that says that they may not go on. */
export const endsSessions = ({ type }: AdviserlyEvent) =>
  ['access.ended', 'member.removed', 'account.closed', 'person.erase'].includes(type);

/** Confirms that the person has been erased here, as `person.erase` asked. */
export const confirmErasure = (adviserly: Adviserly, erasureId: string) =>
  post(adviserly, `/api/tools/erasures/${erasureId}`, '{}');
