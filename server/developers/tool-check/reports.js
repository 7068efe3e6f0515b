// @ts-check
import { setTimeout as sleep } from 'node:timers/promises';
import { hashOf } from './arrival.js';
import { formTo } from './page.js';

/**
 * @typedef {import('./exam.js').Exam} Exam
 * @typedef {import('./exam.js').Call} Call
 * @typedef {import('./browser.js').Browser} Browser
 */

/** Presses the tool's own button: as a stranger, then twice, as people do. @param {Exam} exam @param {Browser} browser */
export async function finish(exam, browser) {
  if (exam.target.finish === undefined) return exam.onOpen?.();
  const page = exam.pages[0]?.open;
  const base = page?.url ?? exam.target.url;
  const address = new URL(exam.target.finish, base).href;
  const form = formTo(page?.body ?? '', base, address);
  /** Whether a stranger's press makes the tool report; asked twice, since a report of the tool's own may come in between. */
  const pressed = async () => {
    const before = await acceptedReports(exam);
    await exam.browser().visit(address, { form, stay: exam.origins });
    return (await acceptedReports(exam)) > before;
  };
  exam.say(
    'guarded',
    (await pressed()) &&
      (await pressed()) &&
      'A post without a session made the tool report: ask for the session first.',
  );
  // The same browser twice: the first press, and one that came before the page had changed.
  const [first] = [
    await browser.visit(address, { crossSite: false, form, stay: exam.origins }),
    await exam.browser(browser.cookies).visit(address, { crossSite: false, form, stay: exam.origins }),
  ];
  const status = first.last?.status ?? 0;
  exam.say(
    'finish',
    first.fault
      ? `A post to ${exam.target.finish}: ${first.fault}.`
      : status >= 400 && `A post to ${exam.target.finish} answered ${status}.`,
  );
}

/** @param {Exam} exam */
const acceptedReports = async ({ launcher }) =>
  ((await launcher.calls?.()) ?? []).flatMap(({ reports }) => reports ?? []).filter(({ accepted }) => accepted).length;

/** @param {Call[]} calls @param {string} token */
const sessionOf = (calls, token) => calls.find((call) => call.tokenHash === hashOf(token) && call.active)?.session_id;

/** @param {Call} call */
function refusalsOf({ status, message, reports = [] }) {
  if (status >= 400) return [`POST /api/tools/usage answered ${status}: ${message ?? ''}`];
  return reports
    .filter(({ accepted }) => !accepted)
    .map(
      ({ event_id, reason = '', field, message: why = '' }) =>
        `Report ${event_id === null ? 'without an id' : `“${event_id}”`} was refused: ${reason}${field ? ` (${field})` : ''}. ${why}`,
    );
}

/** Two reports of the same work: alike, of one session, under two ids, and less than half of the work's length apart. @param {Call[]} calls */
function repeated(calls) {
  const all = calls.flatMap(({ at, reports = [] }) =>
    reports.filter((one) => one.accepted && !one.duplicate).map((one) => ({ at, ...one })),
  );
  return all.find((one, index) =>
    all.some(
      (other, earlier) =>
        earlier < index &&
        other.session_id === one.session_id &&
        other.figures === one.figures &&
        other.event_id !== one.event_id &&
        one.at - other.at < one.duration_seconds * 500,
    ),
  );
}

/** Waits for the report of the first launch's session, then judges all reports. @param {Exam} exam @param {string} token @param {boolean} open */
export async function examineReports(exam, token, open) {
  const { launcher, waitMs, pollMs } = exam;
  const until = performance.now() + (open ? waitMs : 0);
  const advice = `within ${Math.round(waitMs / 1000)} seconds: send the session_id of the introspection to POST /api/tools/usage.`;
  if (!launcher.calls && !launcher.newestSession)
    return exam.unknown('reported', 'This environment does not say what was reported.');
  for (;;) {
    const calls = await launcher.calls?.();
    const session = calls && sessionOf(calls, token);
    const usage = (calls ?? []).filter(({ call }) => call === 'usage');
    const known = usage.some(({ reports }) => reports?.some((one) => one.accepted && one.session_id === session));
    const done = calls ? known : (await launcher.newestSession?.())?.reported === true;
    const late = performance.now() >= until;
    if (done || late) {
      if (!done && !open && usage.length === 0) exam.unknown('reported', 'Not judged: no session was opened.');
      return judge(exam, usage, done ? null : advice, calls !== undefined);
    }
    await sleep(Math.min(pollMs, waitMs));
  }
}

/** @param {Exam} exam @param {Call[]} usage @param {string | null} advice @param {boolean} isLogged */
function judge(exam, usage, advice, isLogged) {
  // Nobody was there to use the tool.
  const idle = advice && usage.length === 0 && exam.target.finish === undefined && !exam.onOpen;
  if (idle) exam.unknown('reported', 'Nobody worked in the session: name the address that finishes one.');
  const refusals = [...new Set(usage.flatMap(refusalsOf))].slice(0, 5);
  const others = usage.some(({ reports }) => reports?.some((one) => one.accepted));
  exam.say(
    'reported',
    advice &&
      (refusals.length > 0
        ? 'No usage report was accepted; see below why.'
        : others
          ? `Only other sessions were reported, not the one of the launch, ${advice}`
          : `No usage report came ${advice}`),
  );
  if (!isLogged) {
    exam.unknown('refused', 'This environment does not say which reports it refused.');
    return exam.unknown('once', 'This environment does not say how often work was reported.');
  }
  exam.say('refused', refusals.join(' '));
  const twice = repeated(usage);
  exam.say(
    'once',
    twice &&
      `The same work was reported again as “${twice.event_id}”: give it one event_id, made when it is done, and repeat that one.`,
  );
}
