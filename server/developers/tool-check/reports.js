// @ts-check
import { setTimeout as sleep } from 'node:timers/promises';
import { examineObedience, sessionOf } from './finish.js';

/**
 * @typedef {import('./exam.js').Exam} Exam
 * @typedef {import('./exam.js').Call} Call
 * @typedef {import('./exam.js').Report & { at: number }} Report
 * @typedef {import('./exam.js').Session & { typed?: number[] }} Session
 */

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

/** @param {Call[]} calls @returns {Report[]} */
const acceptedOf = (calls) =>
  calls.flatMap(({ at, reports = [] }) => reports.filter(({ accepted }) => accepted).map((one) => ({ at, ...one })));

/** Work of no length is reported again within this time. */
const sameMs = 3000;
/** A session that did nothing may say so once. */
const mostEmpty = 1;

/** @param {Report} report */
const isEmpty = ({ figures }) => !/[1-9]/.test(figures.replaceAll(/"[^"]*"/g, ''));

/** Why work counts twice: reports of one session, alike, under two ids, and less than half of the work's length apart. @param {Report[]} reports */
function repetition(reports) {
  const fresh = reports.filter(({ duplicate }) => !duplicate);
  const twice = fresh.find((one, index) =>
    fresh.some(
      (other, earlier) =>
        earlier < index &&
        other.session_id === one.session_id &&
        other.figures === one.figures &&
        other.event_id !== one.event_id &&
        !isEmpty(one) &&
        one.at - other.at < (one.duration_seconds > 0 ? one.duration_seconds * 500 : sameMs),
    ),
  );
  if (twice)
    return `The same work was reported again as “${twice.event_id}”: give it one event_id, made when it is done, and repeat that one.`;
  const empty = fresh.filter(isEmpty);
  const many = empty.find(
    ({ session_id }) => empty.filter((other) => other.session_id === session_id).length > mostEmpty,
  );
  return many ? 'One session was reported again and again without any work: report when there was some.' : null;
}

/** Reports more than this beyond a session's age, in seconds, are of something else. */
const slack = 600;

/** How much later than at the tool a session may begin or end here, on a busy machine. */
const lateMs = 1000;

/** Whether the sessions that we finished are reported as long as they were. @param {Call[]} calls @param {Session[]} sessions */
function lengthFault(calls, sessions) {
  const reports = acceptedOf(calls).filter(({ duplicate }) => !duplicate);
  const measured = sessions.flatMap(({ token, typed = [] }) => {
    const begun = calls.find((call) => call.call === 'introspect' && call.active && sessionOf([call], token));
    const own = reports.filter(({ session_id }) => session_id === begun?.session_id);
    const last = own.at(-1);
    const seconds = own.reduce((sum, one) => sum + one.duration_seconds, 0);
    return begun && last ? [{ seconds, ageMs: last.at - begun.at, typed }] : [];
  });
  const [one, two] = measured;
  const inMs = measured.every(({ seconds, ageMs }) => Math.abs(seconds - ageMs) < Math.max(lateMs, ageMs / 5));
  const [older, reported] = one && two ? [two.ageMs - one.ageMs, two.seconds - one.seconds] : [0, 0];
  if (inMs && older > 800 && Math.abs(reported - older) < older / 2)
    return 'duration_seconds holds milliseconds: divide by 1000.';
  const long = measured.find(
    ({ seconds, ageMs, typed }) =>
      seconds > ageMs / 1000 + slack &&
      !typed.some((n) => [n, n * 60, n * 3600].some((t) => Math.abs(t - seconds) < 60)),
  );
  return long
    ? `A session of ${Math.max(1, Math.round(long.ageMs / 1000))} s was reported as ${long.seconds} s: report how long the work took.`
    : null;
}

/**
 * Waits for the reports of these sessions, then judges all reports.
 * @param {Exam} exam @param {Session[]} sessions @param {boolean} finished whether we finished them ourselves @param {boolean} open
 */
export async function examineReports(exam, sessions, finished, open) {
  const { launcher, waitMs, pollMs } = exam;
  const until = performance.now() + (open && sessions.length > 0 ? waitMs : 0);
  if (!launcher.calls && !launcher.newestSession) {
    for (const id of /** @type {const} */ (['reported', 'refused', 'once', 'each', 'length', 'obeyed']))
      exam.unknown(id, 'This environment does not say what was reported.');
    return;
  }
  for (;;) {
    const calls = await launcher.calls?.();
    const reports = acceptedOf(calls ?? []);
    const missing = sessions.filter(
      ({ token }) => !calls || !reports.some(({ session_id }) => session_id === sessionOf(calls, token)),
    );
    const done = calls ? missing.length === 0 : (await launcher.newestSession?.())?.reported === true;
    if (done || performance.now() >= until) {
      judge(exam, { calls, sessions, missing: done ? [] : missing, finished, open });
      if (finished && sessions.length > 0 && missing.length === 0) await examineObedience(exam);
      return;
    }
    await sleep(Math.min(pollMs, waitMs));
  }
}

/** @param {Exam} exam @param {{ calls: Call[] | undefined, sessions: Session[], missing: Session[], finished: boolean, open: boolean }} seen */
function judge(exam, { calls, sessions, missing, finished, open }) {
  const usage = (calls ?? []).filter(({ call }) => call === 'usage');
  const reports = acceptedOf(usage);
  const refusals = [...new Set(usage.flatMap(refusalsOf))].slice(0, 5);
  const advice = `within ${Math.round(exam.waitMs / 1000)} seconds: send the session_id of the introspection to POST /api/tools/usage.`;
  if (sessions.length === 0 && usage.length === 0)
    exam.unknown('reported', 'Not judged: the address that finishes a session did not take our post.');
  // Nobody was there to use the tool.
  if (!open || (!finished && usage.length === 0 && !exam.onOpen && missing.length > 0))
    exam.unknown(
      'reported',
      open ? 'Nobody worked in the session: name the address that finishes one.' : 'Not judged: no session was opened.',
    );
  const some = missing.length > 0 && missing.length < sessions.length;
  exam.say(
    'reported',
    missing.length > 0 &&
      !some &&
      (refusals.length > 0
        ? 'No usage report was accepted; see below why.'
        : reports.length > 0
          ? `Only other sessions were reported, not the one of the launch, ${advice}`
          : `No usage report came ${advice}`),
  );
  if (!calls) {
    for (const id of /** @type {const} */ (['refused', 'once', 'each', 'length']))
      exam.unknown(id, 'This environment does not say what was reported.');
    return;
  }
  exam.say('refused', refusals.join(' '));
  const twice = repetition(reports);
  exam.say('once', twice);
  if (!finished || sessions.length < 2) return;
  const shared = reports.find((one) =>
    reports.some((other) => other.event_id === one.event_id && other.session_id !== one.session_id),
  );
  exam.say(
    'each',
    shared
      ? `Two sessions were reported under one event_id, “${shared.event_id}”: the later one is lost.`
      : some && 'Two sessions were finished, and only one was reported: send the session_id of each launch.',
  );
  if (twice) exam.unknown('length', 'Not judged: work is reported more than once.');
  else exam.say('length', lengthFault(calls, sessions));
}
