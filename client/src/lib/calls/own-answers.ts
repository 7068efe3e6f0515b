import { recordBusinessDate } from '#client/lib/words/business-time.ts';

type OwnAnswers = { at: string; answers: Record<string, unknown> };

/** From page load. Later the server is asked, because something may have changed. */
const freshMs = 15_000;

/** Takes them out of the page, where they would outlast a sign-out. */
const read = (): Map<string, unknown> => {
  const element = typeof document === 'undefined' ? null : document.getElementById('own-answers');
  const text = element?.textContent;
  if (!text) return new Map();
  element.remove();
  const { at, answers } = JSON.parse(text) as OwnAnswers;
  recordBusinessDate(at);
  return new Map(Object.entries(answers));
};
const answers = read();

/** Whether the page came with answers for the person who opened it. */
export const hasOwnAnswers = () => answers.size > 0;

/** The answer to a GET of this address, if it came with the page. */
export const ownAnswer = (address: string): unknown => (performance.now() < freshMs ? answers.get(address) : undefined);

/** As `ownAnswer`, but only once. */
export const takeOwnAnswer = (address: string): unknown => {
  const answer = ownAnswer(address);
  answers.delete(address);
  return answer;
};

/** With a write, which makes them out of date. */
export const dropOwnAnswers = () => answers.clear();
