// @ts-check
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask, sentenceOf } from './http.js';

/**
 * Events to the tool's server, as Adviserly sends them and as a stranger would (Standard Webhooks).
 *
 * @typedef {import('./exam.js').Exam} Exam
 * @typedef {{ id: string, at: number, body: string }} Message `at` in seconds since 1970
 * @typedef {Record<string, string>} Headers
 */

const ids = /** @type {const} */ (['forged', 'old', 'taken', 'ended', 'repeated', 'rotated']);
/** Seconds; further than the five minutes that a timestamp may be away. */
const tooFar = 600;
/** How long a tool may take to end a session. */
const endsWithinMs = 5000;

/** The headers of a message, signed with a `whsec_…`. @param {string} secret @param {Message} message @returns {Headers} */
export function signed(secret, { id, at, body }) {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': String(at), 'webhook-signature': `v1,${signature}` };
}

const strangers = () => `whsec_${randomBytes(32).toString('base64')}`;
const seconds = () => Math.floor(Date.now() / 1000);

/** @param {string} sub @param {string} tool_id @param {number} [at] @returns {Message} */
const message = (sub, tool_id, at = seconds()) => ({
  id: randomUUID(),
  at,
  body: JSON.stringify({
    type: 'access.ended',
    timestamp: new Date(at * 1000).toISOString(),
    data: { sub, tool_id, reason: 'cancelled' },
  }),
});

/** @param {Exam} exam */
export async function examineEvents(exam) {
  const { launcher, target } = exam;
  const { sign, advisers } = launcher;
  const { sub } = advisers[0] ?? {};
  /** @param {string} why */
  const skip = (why) => ids.forEach((id) => exam.unknown(id, why));
  if (!target.events)
    return skip('The tool has no address for events: only the answers to its own calls tell it that access has ended.');
  if (!sign || !sub || !launcher.toolId)
    return skip('Not judged: there is no signing secret here to send events with.');
  const address = target.events;

  /** The status of the tool's answer, or why there was none. @param {Message} what @param {Headers} headers */
  const send = async ({ body }, headers) => {
    const all = { 'content-type': 'application/json', ...headers };
    return ask(address, { method: 'POST', headers: all, body }, exam.limits).then(
      ({ status }) => status,
      (error) => sentenceOf(error),
    );
  };
  const event = (at = seconds()) => message(sub, /** @type {string} */ (launcher.toolId), at);
  const [first, early, late] = [event(), event(seconds() - tooFar), event(seconds() + tooFar)];
  const ours = await sign(first);
  if (!ours) return skip('Not judged: the tool has no signing secret.');

  const adviser = exam.browser();
  const visit = await adviser.visit(exam.link(await launcher.launch(0)));
  const isOpen = async () => exam.pages.length > 0 && (await exam.showsAdviser(adviser, visit));
  /** @param {[string, Message, Headers][]} tries */
  const refusalsOf = async (tries) => {
    const wasOpen = await isOpen();
    for (const [what, one, headers] of tries) {
      const fault = whyNotRefused(what, await send(one, headers));
      if (fault) return fault;
    }
    return wasOpen && !(await isOpen()) && 'It was refused, and ended the session all the same.';
  };

  const altered = { ...first, body: first.body.replace('cancelled', 'suspended') };
  const forged = await refusalsOf([
    ['An event without a signature', first, {}],
    ['An event signed with another secret', first, signed(strangers(), first)],
    ['An event that was changed after it was signed', altered, ours],
    ['An event under another webhook-id than the signed one', first, { ...ours, 'webhook-id': randomUUID() }],
  ]);
  exam.say('forged', forged);
  exam.say(
    'old',
    await refusalsOf([
      ['An event of ten minutes ago', early, (await sign(early)) ?? {}],
      ['An event dated ten minutes ahead', late, (await sign(late)) ?? {}],
    ]),
  );
  const stillOpen = await isOpen();
  const fault = whyNotTaken(await send(first, ours));
  exam.say('taken', fault && `A rightly signed event ${fault}`);
  if (fault) return;
  if (!stillOpen) exam.unknown('ended', 'Not judged: no session was open when the event came.');
  else
    exam.say(
      'ended',
      !(await closes(exam, isOpen)) &&
        'After access.ended the session went on: end all sessions of data.sub before you answer.',
    );
  const again = { ...first, at: seconds() };
  const repeat = whyNotTaken(await send(again, (await sign(again)) ?? {}));
  exam.say('repeated', repeat && `An event that came before, under the same webhook-id, ${repeat}`);
  await examineRotation(exam, event(), send);
}

/** While two secrets are live, two signatures stand in the header. @param {Exam} exam @param {Message} event @param {(what: Message, headers: Headers) => Promise<number | string>} send */
async function examineRotation(exam, event, send) {
  const ours = (await exam.launcher.sign?.(event)) ?? {};
  const other = signed(strangers(), event)['webhook-signature'];
  const both = { ...ours, 'webhook-signature': `${other} ${ours['webhook-signature']}` };
  const fault = whyNotTaken(await send(event, both));
  exam.say(
    'rotated',
    fault &&
      `With two signatures in webhook-signature, as while two secrets are live, it ${fault} Accept where one of them is right.`,
  );
}

/** @param {string} what @param {number | string} answer */
function whyNotRefused(what, answer) {
  if (typeof answer === 'string') return `${what}: ${answer}. Refuse it with 400 to 403.`;
  if (answer >= 200 && answer < 300)
    return `${what} was answered ${answer}: anybody can end your sessions. Check webhook-signature and webhook-timestamp first.`;
  return answer >= 500 ? `${what} was answered ${answer}: refuse it with 400 to 403.` : null;
}

/** @param {number | string} answer */
function whyNotTaken(answer) {
  if (typeof answer === 'string') return `got no answer: ${answer}.`;
  if (answer >= 200 && answer < 300) return null;
  if (answer >= 300 && answer < 400) return `was answered ${answer}: redirects are not followed, so answer 2xx there.`;
  if (answer === 404 || answer === 405) return `was answered ${answer}: take a POST at the address for events.`;
  if (answer >= 500 || answer === 409) return `was answered ${answer}: we would send it for two days. Answer 2xx.`;
  return `was answered ${answer}: the signature is of {webhook-id}.{webhook-timestamp}.{body}, the body as its bytes came, with what follows whsec_ in the secret, decoded.`;
}

/** @param {Exam} exam @param {() => Promise<boolean>} isOpen */
async function closes(exam, isOpen) {
  const until = performance.now() + Math.min(endsWithinMs, exam.waitMs);
  while (await isOpen()) {
    if (performance.now() >= until) return false;
    await sleep(exam.pollMs);
  }
  return true;
}
