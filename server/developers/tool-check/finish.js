// @ts-check
import { setTimeout as sleep } from 'node:timers/promises';
import { hashOf } from './arrival.js';
import { csrfOf, formTo } from './page.js';

/**
 * How a session is finished by the page's own button.
 *
 * @typedef {import('./exam.js').Exam} Exam
 * @typedef {import('./exam.js').Session} Session
 * @typedef {import('./exam.js').Call} Call
 * @typedef {Session & { typed: number[] }} Finished `typed`: the numbers that were entered.
 */

/** How much longer the second session is, so that a unit can be told from a constant. */
const apartMs = 1200;
/** A form that lacks something, such as a token that a script adds: the answer says nothing about the tool. */
const unlike = [400, 403, 415, 419, 422, 428];

/** @param {Call[]} calls @param {string} token */
export const sessionOf = (calls, token) =>
  calls.find((call) => call.tokenHash === hashOf(token) && call.active)?.session_id;

/** @param {Exam} exam */
const accepted = async ({ launcher }) =>
  ((await launcher.calls?.()) ?? []).flatMap(({ reports }) => reports ?? []).filter((report) => report.accepted);

/** @param {Exam} exam @param {Session} session */
async function pageOf(exam, session) {
  const [page] = await exam.view(session.browser, session.visit);
  return page ?? exam.pages[0]?.open ?? null;
}

/**
 * Presses the button: by the page's form, and if that is refused, as a script would, in JSON and with the token that the page holds for it.
 * @param {Exam} exam @param {Session} session @param {import('./browser.js').Hop | null} page @param {import('./browser.js').Browser} [browser]
 */
async function press(exam, session, page, browser = session.browser) {
  const base = page?.url ?? exam.target.url;
  const address = new URL(exam.target.finish ?? '', base).href;
  const form = formTo(page?.body ?? '', base, address);
  const typed = [...form.values()].map(Number).filter((number) => number > 0);
  const key = new URL(session.visit.last?.url ?? base).hash.replace(/^#(?:[^=]*=)?/, '');
  const how = {
    crossSite: false,
    stay: exam.origins,
    headers: { ...csrfOf(page?.body ?? '', browser.cookies), ...(key && { authorization: `Bearer ${key}` }) },
  };
  const before = (await accepted(exam)).length;
  let visit = await browser.visit(address, { ...how, form });
  const status = () => visit.hops[0]?.status ?? 0;
  if (unlike.includes(status()) && (await accepted(exam)).length === before) {
    const json = JSON.stringify(Object.fromEntries([...form].map(([name, text]) => [name, Number(text) || text])));
    const again = await browser.visit(address, { ...how, json });
    if (again.hops[0]) visit = again;
  }
  return {
    address,
    form,
    typed,
    status: status(),
    fault: visit.fault,
    hasReported: (await accepted(exam)).length > before,
  };
}

/** Whether a stranger's press makes the tool report; asked twice, since a report of the tool's own may come in between. @param {Exam} exam @param {Session} session */
async function examineStrangers(exam, session) {
  const page = await pageOf(exam, session);
  const base = page?.url ?? exam.target.url;
  const address = new URL(exam.target.finish ?? '', base).href;
  const form = formTo(page?.body ?? '', base, address);
  const json = JSON.stringify(Object.fromEntries(form));
  /** @param {{ form: URLSearchParams } | { json: string }} what */
  const reports = async (what) => {
    const before = (await accepted(exam)).length;
    await exam.browser().visit(address, { ...what, stay: exam.origins });
    return (await accepted(exam)).length > before;
  };
  let guilty = false;
  for (const what of [{ form }, { json }]) guilty ||= (await reports(what)) && (await reports(what));
  const ended = !(await exam.isOpen(session));
  exam.say(
    'guarded',
    guilty
      ? 'A post without a session made the tool report: ask for the session first.'
      : ended && 'A post without a session ended the adviser’s: ask for the session first.',
  );
}

/** Whether a mere link ends the session, so that whatever loads the page's links in advance does. @param {Exam} exam @param {Session} session */
async function examineLink(exam, session) {
  if (!(await exam.isOpen(session))) return exam.unknown('link', 'Not judged: no session was open.');
  const address = new URL(exam.target.finish ?? '', (await pageOf(exam, session))?.url ?? exam.target.url).href;
  const before = (await accepted(exam)).length;
  await session.browser.visit(address, { crossSite: false, stay: exam.origins });
  const reported = (await accepted(exam)).length > before;
  const ended = !(await exam.isOpen(session));
  exam.say('link', (ended || reported) && 'A GET ended the session or reported it: take a POST only, from a form.');
}

/**
 * Finishes a session of each adviser, the first one twice, as people press. Returns those whose reports are to be expected; null where no
 * address finishes one.
 * @param {Exam} exam @returns {Promise<Finished[] | null>}
 */
export async function examineFinish(exam) {
  if (exam.target.finish === undefined) {
    exam.onOpen?.();
    return null;
  }
  await examineLink(exam, await exam.enter(0));
  const first = await exam.enter(0);
  await examineStrangers(exam, first);
  const session = await exam.opened(first);
  const second = exam.launcher.advisers[1] ? await exam.enter(1) : null;
  const held = [...session.browser.cookies];
  const page = await pageOf(exam, session);
  const lastedMs = performance.now() - session.begunAt;
  const pressed = await press(exam, session, page);
  // Once more, from before the page had changed.
  await press(exam, session, page, exam.browser(held));
  const { status, fault, hasReported } = pressed;
  const path = exam.target.finish;
  if (unlike.includes(status) && !hasReported && !fault) {
    exam.unknown(
      'finish',
      `Not judged: a post to ${path} answered ${status}. It takes more than a form or its JSON holds.`,
    );
    return [];
  }
  exam.say('finish', fault ? `A post to ${path}: ${fault}.` : status >= 400 && `A post to ${path} answered ${status}.`);
  const finished = [{ ...session, typed: pressed.typed }];
  if (fault || status >= 400 || !second) return finished;
  const other = await exam.opened(second);
  await sleep(Math.max(0, other.begunAt + lastedMs + apartMs - performance.now()));
  return [...finished, { ...other, typed: (await press(exam, other, await pageOf(exam, other))).typed }];
}

/** Whether the tool ends a session when the answer to its report says that access has ended. @param {Exam} exam */
export async function examineObedience(exam) {
  const { launcher, pollMs, waitMs } = exam;
  const session = await exam.enter(0);
  const isOpen = await exam.isOpen(session);
  if (!isOpen || !launcher.calls || !(await launcher.shut?.(session.token)))
    return exam.unknown('obeyed', 'Not judged: this environment can’t end access without an event.');
  const { status } = await press(exam, session, await pageOf(exam, session));
  const until = performance.now() + Math.min(waitMs, 5000);
  const told = async () => {
    const calls = (await launcher.calls?.()) ?? [];
    const id = sessionOf(calls, session.token);
    return calls.some(({ reports }) => reports?.some((one) => one.session_id === id && one.access === false));
  };
  let heard = await told();
  while (!heard && status < 400 && performance.now() < until) {
    await sleep(pollMs);
    heard = await told();
  }
  if (!heard) return exam.unknown('obeyed', 'Not judged: the session was not reported.');
  const since = performance.now();
  while ((await exam.isOpen(session)) && performance.now() - since < Math.min(waitMs, 2000)) await sleep(pollMs);
  exam.say(
    'obeyed',
    (await exam.isOpen(session)) &&
      'The answer to a report said access: false, and the session went on: end it before you answer the adviser.',
  );
}
