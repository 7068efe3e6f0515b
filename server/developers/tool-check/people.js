// @ts-check
import { breaksOut } from './page.js';

/**
 * Two advisers at one tool.
 *
 * @typedef {import('./exam.js').Exam} Exam
 * @typedef {import('./exam.js').Session} Session
 */

/** @param {Exam} exam @param {Session} session who is signed in */
export async function examinePeople(exam, session) {
  if (!exam.launcher.advisers[1]) {
    const why = 'There is no second adviser to launch as.';
    for (const id of /** @type {const} */ (['others', 'next', 'escaped'])) exam.unknown(id, why);
    return;
  }
  await examineOthers(exam, session);
  await examineNext(exam, await exam.opened(session));
}

/** What a page shows of this adviser: not a given name alone, which may stand on any page. @param {Exam} exam @param {string} body @param {number} which */
const shows = (exam, body, which) =>
  exam.marksOf(body, which).some((mark) => mark !== exam.launcher.advisers[which]?.given_name.toLowerCase());

/** One adviser works, and another opens the tool elsewhere. @param {Exam} exam @param {Session} session */
async function examineOthers(exam, session) {
  const first = await exam.opened(session);
  const second = await exam.enter(1);
  const seen = (await exam.view(second.browser, second.visit)).flatMap((page) => page ?? []);
  const pages = (await exam.view(first.browser, first.visit)).flatMap((page) => page ?? []);
  const other = pages.some(({ body }) => shows(exam, body, 1)) || seen.some(({ body }) => shows(exam, body, 0));
  const lost = !pages.some(({ body }) => exam.marksOf(body, 0).length > 0);
  const own = seen.some(({ body }) => exam.marksOf(body, 1).length > 0);
  exam.say(
    'others',
    second.visit.fault
      ? `The second adviser’s launch: ${second.visit.fault}.`
      : other
        ? 'While two advisers work, one of them is shown the other: keep each session’s data under that session.'
        : lost
          ? 'Another adviser’s launch ended the session of the first: keep a session for each.'
          : !own && 'While another adviser works, a second one’s launch does not show them their page.',
  );
  const broken = [...seen, ...second.visit.hops]
    .map((page) => breaksOut(page, /** @type {import('./page.js').Adviser} */ (exam.launcher.advisers[1])))
    .filter((one) => one !== null);
  if (broken.length === 0) exam.unknown('escaped', 'Not judged: no page shows a name with markup in it.');
  else
    exam.say(
      'escaped',
      broken.includes(true) &&
        'A name with markup in it became part of the page: escape < > & " and \' in all that comes from people.',
    );
}

/** @param {Exam} exam @param {Session} first */
async function examineNext(exam, first) {
  const shared = exam.browser(first.browser.cookies);
  const { visit } = await exam.enter(1, shared);
  const seen = (await exam.view(shared, visit)).flatMap((page) => page ?? []);
  const still = seen.some(({ body }) => exam.marksOf(body, 0).length > 0);
  const own = seen.some(({ body }) => exam.marksOf(body, 1).length > 0);
  exam.say(
    'next',
    visit.fault
      ? `The second launch: ${visit.fault}.`
      : still
        ? 'After another adviser’s launch the same browser still shows the first: replace the session at every launch.'
        : !own && 'After another adviser’s launch the same browser shows neither of them.',
  );
}
