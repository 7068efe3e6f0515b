// @ts-check
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask, sentenceOf } from './http.js';

/**
 * Events to the tool's server, as Adviserly sends them and as a stranger would (Standard Webhooks).
 *
 * @typedef {import('./exam.js').Exam} Exam
 * @typedef {import('./exam.js').Session} Session
 * @typedef {import('./checks.js').CheckId} CheckId
 * @typedef {{ id: string, at: number, body: string }} Message `at` in seconds since 1970
 * @typedef {Record<string, string>} Headers
 * @typedef {{ type: string, reason?: string, erasure_id?: string, incident_id?: string }} News
 */

/** @type {CheckId[]} */
const ids = [
  'forged',
  'old',
  'taken',
  'ended',
  'apart',
  'again',
  'kinds',
  'unheard',
  'repeated',
  'rotated',
  'bytes',
  'erased',
];
/** Seconds, beyond the five minutes that a timestamp may be away. */
const tooFar = 600;
/** How long a tool may take to end a session, and to answer an event. */
const [endsWithinMs, answersWithinMs] = [5000, 10_000];

/** The headers of a message, signed with a `whsec_…`. @param {string} secret @param {Message} message @returns {Headers} */
export function signed(secret, { id, at, body }) {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': String(at), 'webhook-signature': `v1,${signature}` };
}

const strangers = () => `whsec_${randomBytes(32).toString('base64')}`;
const seconds = () => Math.floor(Date.now() / 1000);

/** The examined tool's address for events, and whose sessions they end. */
class Sender {
  /** @param {Exam} exam @param {string} address */
  constructor(exam, address) {
    this.exam = exam;
    this.address = address;
  }

  /** @param {News} news @param {number | null} [which] the adviser it is about; null: the tool itself @param {number} [at] @returns {Message} */
  event({ type, ...more }, which = 0, at = seconds()) {
    const { advisers, toolId } = this.exam.launcher;
    const timestamp = new Date(at * 1000).toISOString();
    const data = { ...(which !== null && { sub: advisers[which]?.sub }), tool_id: toolId, ...more };
    return { id: randomUUID(), at, body: JSON.stringify({ type, timestamp, data }) };
  }

  /** @param {Message} message @returns {Promise<Headers>} */
  async ours(message) {
    return (await this.exam.launcher.sign?.(message)) ?? {};
  }

  /** The status of the tool's answer, or why there was none. @param {Message} what @param {Headers} headers */
  post({ body }, headers) {
    const all = { 'content-type': 'application/json', ...headers };
    const patienceMs = Math.max(this.exam.limits.patienceMs, Math.min(answersWithinMs, this.exam.waitMs));
    return ask(this.address, { method: 'POST', headers: all, body }, { ...this.exam.limits, patienceMs }).then(
      ({ status }) => status,
      (error) => sentenceOf(error),
    );
  }

  /** Why the tool did not take this rightly signed message; null where it did. @param {Message} message */
  async refused(message) {
    return whyNotTaken(await this.post(message, await this.ours(message)));
  }

  /** Whether the session ends soon. @param {Session} session */
  async closes(session) {
    const until = performance.now() + Math.min(endsWithinMs, this.exam.waitMs);
    while (await this.exam.isOpen(session)) {
      if (performance.now() >= until) return false;
      await sleep(this.exam.pollMs);
    }
    return true;
  }
}

/** @param {Exam} exam */
export async function examineEvents(exam) {
  const { launcher, target } = exam;
  /** @param {string} why */
  const skip = (why) => ids.forEach((id) => exam.unknown(id, why));
  if (!target.events)
    return skip('The tool has no address for events: only the answers to its own calls tell it that access has ended.');
  const sender = new Sender(exam, target.events);
  const first = sender.event({ type: 'access.ended', reason: 'cancelled' });
  if (!launcher.sign || !launcher.advisers[0]?.sub || !launcher.toolId)
    return skip('Not judged: there is no signing secret here to send events with.');
  const ours = await launcher.sign(first);
  if (!ours) return skip('Not judged: the tool has no signing secret.');

  const [earlier, adviser] = [await exam.enter(0), await exam.enter(0)];
  await examineForgeries(sender, first, ours, adviser);
  const other = launcher.advisers[1] ? await exam.enter(1) : null;
  const [stillOpen, otherOpen] = [await exam.isOpen(adviser), other !== null && (await exam.isOpen(other))];
  const fault = whyNotTaken(await sender.post(first, ours));
  exam.say('taken', fault && `A rightly signed event ${fault}`);
  if (fault) return skip('Not judged: the tool does not take our events.');
  if (!stillOpen) exam.unknown('ended', 'Not judged: no session was open when the event came.');
  else
    exam.say(
      'ended',
      (!(await sender.closes(adviser)) &&
        'After access.ended the session went on: end all sessions of data.sub before you answer.') ||
        (!(await sender.closes(earlier)) &&
          'After access.ended the adviser’s session in another browser went on: end all sessions of data.sub.'),
    );
  if (!other || !otherOpen) exam.unknown('apart', 'Not judged: no other adviser had a session open.');
  else
    exam.say(
      'apart',
      !(await exam.isOpen(other)) && 'An event about one adviser ended another’s session: end those of data.sub only.',
    );
  const again = { ...first, at: seconds() };
  const repeat = await sender.refused(again);
  exam.say('repeated', repeat && `An event that came before, under the same webhook-id, ${repeat}`);
  await examineSignatures(sender);
  if (exam.isWrong('ended')) exam.unknown('kinds', 'Not judged: access.ended ends nothing.');
  await examineKinds(sender);
}

/** @param {Sender} sender @param {Message} first @param {Headers} ours @param {Session} session */
async function examineForgeries(sender, first, ours, session) {
  const { exam } = sender;
  /** @param {[string, Message, Headers][]} tries */
  const refusalsOf = async (tries) => {
    const wasOpen = await exam.isOpen(session);
    for (const [what, one, headers] of tries) {
      const fault = whyNotRefused(what, await sender.post(one, headers));
      if (fault) return fault;
    }
    return wasOpen && !(await exam.isOpen(session)) && 'It was refused, and ended the session all the same.';
  };
  const half = ours['webhook-signature']?.split(' ')[0]?.slice(0, 24) ?? '';
  const altered = { ...first, body: first.body.replace('cancelled', 'suspended') };
  exam.say(
    'forged',
    await refusalsOf([
      ['An event without a signature', first, {}],
      ['An event signed with another secret', first, signed(strangers(), first)],
      ['An event that was changed after it was signed', altered, ours],
      ['An event under another webhook-id than the signed one', first, { ...ours, 'webhook-id': randomUUID() }],
      ['An event with half of its signature', first, { ...ours, 'webhook-signature': half }],
    ]),
  );
  const ended = { type: 'access.ended', reason: 'cancelled' };
  const [early, late] = [sender.event(ended, 0, seconds() - tooFar), sender.event(ended, 0, seconds() + tooFar)];
  exam.say(
    'old',
    await refusalsOf([
      ['An event of ten minutes ago', early, await sender.ours(early)],
      ['An event dated ten minutes ahead', late, await sender.ours(late)],
    ]),
  );
}

/** Two signatures in either order, as while two secrets are live, and a body that JSON would write otherwise. @param {Sender} sender */
async function examineSignatures(sender) {
  const { exam } = sender;
  let fault = null;
  for (const isFirst of [true, false]) {
    const event = sender.event({ type: 'access.ended', reason: 'cancelled' });
    const ours = await sender.ours(event);
    const other = signed(strangers(), event)['webhook-signature'];
    const both = isFirst ? [ours['webhook-signature'], other] : [other, ours['webhook-signature']];
    fault ??= whyNotTaken(await sender.post(event, { ...ours, 'webhook-signature': both.join(' ') }));
  }
  exam.say(
    'rotated',
    fault &&
      `With two signatures in webhook-signature, as while two secrets are live, it ${fault} Accept where one of them is right.`,
  );
  const event = sender.event({ type: 'access.ended', reason: 'cancelled' });
  const odd = JSON.stringify({ note: 'Siobhán', number: 0, ...JSON.parse(event.body) }, null, 1)
    .replace('á', '\\u00e1')
    .replace('"number": 0', '"number": 1.0, "mark": "naïve/\\/"');
  const unread = await sender.refused({ ...event, body: odd });
  exam.say(
    'bytes',
    unread &&
      `An event whose body has spaces and escaped letters ${unread} Don’t write the body anew before you sign it.`,
  );
}

const reasons = ['ended', 'payment_failed', 'suspended', 'second_factor', 'not_allowed'];
/** The most kinds of event that are waited for after one was wrong. */
const mostFaults = 2;

/** @param {Sender} sender */
async function examineKinds(sender) {
  const { exam } = sender;
  if (!(await returns(sender))) return;
  const closing = { type: 'incident.closed', incident_id: randomUUID(), reason: 'It is mended.' };
  const unheard = [
    ['A new type of event', await sender.refused(sender.event({ type: 'adviser.greeted' }))],
    ['access.restored', await sender.refused(sender.event({ type: 'access.restored' }))],
    ['An event without a sub', await sender.refused(sender.event(closing, null))],
  ].find(([, fault]) => fault);
  exam.say('unheard', unheard && `${unheard[0]} ${unheard[1]} Answer 2xx to what you don’t know.`);

  const which = exam.launcher.advisers[1] ? 1 : 0;
  /** @type {[string, News, number][]} */
  const kinds = [
    ...reasons.map(
      (reason) =>
        /** @type {[string, News, number]} */ ([
          `access.ended with the reason ${reason}`,
          { type: 'access.ended', reason },
          0,
        ]),
    ),
    ['member.removed', { type: 'member.removed' }, 0],
    // The last word about somebody: a tool may never let them in again.
    ['account.closed', { type: 'account.closed' }, which],
  ];
  const faults = [];
  let judged = 0;
  for (const [what, news, person] of kinds) {
    if (faults.length >= mostFaults) break;
    const session = await exam.enter(person);
    if (!(await exam.isOpen(session))) continue;
    judged += 1;
    const fault = await sender.refused(sender.event(news, person));
    if (fault) faults.push(`${what} ${fault}`);
    else if (!(await sender.closes(session))) faults.push(`After ${what} the session went on.`);
  }
  if (judged === 0) exam.unknown('kinds', 'Not judged: no session was open when the events came.');
  else exam.say('kinds', faults.join(' '));
  await examineErasure(sender, which);
}

/** Whether an adviser gets in again, if need be after we said that they may. @param {Sender} sender */
async function returns(sender) {
  const { exam } = sender;
  if (await exam.isOpen(await exam.enter(0))) {
    exam.say('again', null);
    return true;
  }
  await sender.refused(sender.event({ type: 'access.restored' }));
  const opens = await exam.isOpen(await exam.enter(0));
  if (exam.pages.length === 0) exam.unknown('again', 'Not judged: no page shows the adviser.');
  else
    exam.say(
      'again',
      !opens && 'After access.ended and a new launch the adviser was not let in: an active token opens a session.',
    );
  return opens;
}

/** @param {Sender} sender @param {number} which */
async function examineErasure(sender, which) {
  const { exam } = sender;
  const erasure_id = await exam.launcher.erasure?.();
  if (!erasure_id) return exam.unknown('erased', 'Not judged: there is nobody here who could be erased.');
  const fault = await sender.refused(sender.event({ type: 'person.erase', erasure_id }, which));
  if (fault) return exam.say('erased', `person.erase ${fault}`);
  const until = performance.now() + Math.min(endsWithinMs, exam.waitMs);
  const confirmed = async () =>
    (await exam.launcher.calls?.())?.some(({ call, status }) => call === 'erasure' && status < 400);
  while (!(await confirmed())) {
    if (performance.now() >= until)
      return exam.unknown('erased', 'person.erase was taken. Not judged: it was not confirmed while we waited.');
    await sleep(exam.pollMs);
  }
  exam.say('erased', null);
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
