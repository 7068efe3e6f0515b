// @ts-check
import { examineArrival } from './arrival.js';
import { examineEvents } from './events.js';
import { checksFor } from './checks.js';
import { Exam } from './exam.js';
import { examineFinish } from './finish.js';
import { examinePeople } from './people.js';
import { examineRedirects, examineRefusals } from './refusals.js';
import { examineReports } from './reports.js';
import { examineSession } from './session.js';

/**
 * @typedef {import('./exam.js').Finding} Finding
 * @typedef {import('./exam.js').Launcher} Launcher
 * @typedef {import('./exam.js').Target} Target
 * @typedef {import('./exam.js').Call} Call
 */

/**
 * Examines a tool as a browser and an attacker would: sessions while they are open, then how they end. Returns all findings, and passes
 * each to `onFinding` as it is made. Throws only where the launcher does.
 * @param {Target} target @param {Launcher} launcher @param {(finding: Finding) => void} [onFinding] @param {import('./exam.js').Options} [options]
 * @returns {Promise<Finding[]>}
 */
export async function examine(target, launcher, onFinding = () => {}, options = {}) {
  const exam = new Exam(target, launcher, onFinding, options);
  const { session, bare, proved, open } = await examineArrival(exam);
  if (bare) {
    if (exam.pages.length > 0) await examineSession(exam, session, open);
    await examineRefusals(exam, bare, session);
    await examineRedirects(exam, session);
    if (open) await examinePeople(exam, session);
    const finished = open ? await examineFinish(exam) : null;
    await examineReports(exam, finished ?? [session], finished !== null, open);
    await examineEvents(exam);
  }
  await examineLeaks(exam, proved);
  const why = proved
    ? open
      ? 'what came before did not allow it'
      : 'no session was opened'
    : 'the tool did not answer the launch and exchange its token, so nothing more was asked of it';
  for (const id of checksFor(target.finish !== undefined)) exam.unknown(id, `Not judged: ${why}.`);
  return exam.findings;
}

/** What was noticed on the way. @param {Exam} exam @param {boolean} proved */
async function examineLeaks(exam, proved) {
  const { leaks, launcher, notice } = exam;
  const secret = await launcher.secretAmong?.([...notice.words]);
  const faults = /** @type {const} */ ({
    written: notice.written,
    elsewhere: leaks.length > 0 && `On the way ${[...new Set(leaks)].join('; ')}.`,
    person:
      notice.told.size > 0 && `A page sends the adviser’s name or email address to ${[...notice.told].join(', ')}.`,
    secrets: secret && `A page shows ${secret} of your tool to browsers: revoke it, and keep it on your server.`,
  });
  if (!launcher.secretAmong) exam.unknown('secrets', 'Not judged: the tool’s secrets are not known here.');
  for (const [id, fault] of Object.entries(faults))
    if (proved || fault) exam.say(/** @type {keyof typeof faults} */ (id), fault);
}
