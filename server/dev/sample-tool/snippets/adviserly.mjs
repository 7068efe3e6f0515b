import { createHmac, timingSafeEqual } from 'node:crypto';

const { ADVISERLY, TOOL_ID, TOOL_SECRET, TOOL_SIGNING_SECRET } = process.env;
const authorization = `Basic ${Buffer.from(`${TOOL_ID}:${TOOL_SECRET}`).toString('base64')}`;

async function post(path, body, type) {
  const headers = { authorization, 'content-type': type };
  const answer = await fetch(ADVISERLY + path, { method: 'POST', headers, body, signal: AbortSignal.timeout(10_000) });
  if (!answer.ok) throw new Error(`Adviserly answered ${answer.status}`);
  return answer.json();
}

/** Who opened the tool; null where nobody may. */
export async function exchange(token) {
  const who = await post(
    '/api/tools/introspect',
    `token=${encodeURIComponent(token)}`,
    'application/x-www-form-urlencoded',
  );
  return who.active ? who : null;
}

export const report = (event) => post('/api/tools/usage', JSON.stringify({ events: [event] }), 'application/json');

/** Whether an event is ours; `body` is the bytes that came. */
export function isOurs(headers, body) {
  const [id, at, signatures] = ['id', 'timestamp', 'signature'].map((name) => headers[`webhook-${name}`] ?? '');
  if (!(Math.abs(Date.now() / 1000 - at) <= 300)) return false;
  const key = Buffer.from(TOOL_SIGNING_SECRET.slice('whsec_'.length), 'base64');
  const right = Buffer.from(`v1,${createHmac('sha256', key).update(`${id}.${at}.`).update(body).digest('base64')}`);
  const given = signatures.split(' ').map((one) => Buffer.from(one));
  return given.some((one) => one.length === right.length && timingSafeEqual(one, right));
}
