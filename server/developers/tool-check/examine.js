// @ts-check
import { examineArrival } from './arrival.js';
import { examineEvents } from './events.js';
import { checksFor, Exam } from './exam.js';
import { examineRedirects, examineRefusals } from './refusals.js';
import { examineReports, finish } from './reports.js';
import { examineAttributes, examineFixation, examineGuesses, examineNext, sessionCookies } from './session.js';

/**
 * @typedef {import('./exam.js').Finding} Finding
 * @typedef {import('./exam.js').Launcher} Launcher
 * @typedef {import('./exam.js').Target} Target
 * @typedef {import('./exam.js').Call} Call
 */

const cookieChecks = /** @type {const} */ (['httpOnly', 'sameSite', 'secure', 'domain', 'lifetime', 'guess', 'forge']);

/**
 * Examines a tool as a browser and an attacker would. Returns all findings, and passes each to `onFinding` as it is made. Throws only
 * where the launcher does.
 * @param {Target} target @param {Launcher} launcher @param {(finding: Finding) => void} [onFinding] @param {import('./exam.js').Options} [options]
 * @returns {Promise<Finding[]>}
 */
export async function examine(target, launcher, onFinding = () => {}, options = {}) {
  const exam = new Exam(target, launcher, onFinding, options);
  const { bare, token, browser, visit, open } = await examineArrival(exam);
  const isAnswered = !visit.fault;
  if (isAnswered && open) await finish(exam, browser);
  // A tool that answers nobody is not asked another thirty times.
  if (isAnswered || !bare.fault) await examineRefusals(exam, bare, token, visit);
  else exam.say('none', `A visit without a token: ${bare.fault}.`);
  if (isAnswered && exam.pages.length > 0) await examineSession(exam, browser, token);
  if (isAnswered) {
    await examineRedirects(exam, browser.cookies);
    await examineReports(exam, token, open);
  }
  if (isAnswered) await examineEvents(exam);
  if (isAnswered) exam.say('written', exam.written);
  if (isAnswered) exam.say('elsewhere', exam.leaks.length > 0 && `On the way ${[...new Set(exam.leaks)].join('; ')}.`);
  const why = isAnswered ? 'no session was opened' : 'the tool did not answer the launch';
  for (const id of checksFor(target.finish !== undefined)) exam.unknown(id, `Not judged: ${why}.`);
  return exam.findings;
}

/** @param {Exam} exam @param {import('./browser.js').Browser} browser @param {string} token */
async function examineSession(exam, browser, token) {
  const kept = exam.findings.some(({ id, result }) => id === 'kept' && result === 'ok');
  const all = kept ? browser.cookies : browser.seen;
  const needed = kept ? await sessionCookies(exam, browser) : browser.seen.slice(-1);
  const cookies = needed.length > 0 ? needed : all;
  if (cookies.length === 0) for (const id of cookieChecks) exam.unknown(id, 'The session uses no cookie.');
  else examineAttributes(exam, cookies);
  if (!kept) return;
  if (cookies.length > 0) await examineGuesses(exam, browser, cookies, token);
  await examineFixation(exam, cookies);
  await examineNext(exam, browser);
}
