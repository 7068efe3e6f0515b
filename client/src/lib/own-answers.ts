import { recordBusinessDate } from '#client/lib/business-time.ts';

type OwnAnswers = { at: string; answers: Record<string, unknown> };

/** Later, the server is asked: by then something may have changed. */
const freshMs = 15_000;

const read = (): Map<string, unknown> => {
  const text = typeof document === 'undefined' ? null : document.getElementById('own-answers')?.textContent;
  if (!text) return new Map();
  const { at, answers } = JSON.parse(text) as OwnAnswers;
  recordBusinessDate(at);
  return new Map(Object.entries(answers));
};
const answers = read();

/** Whether the page brought anything of the person it is for. */
export const hasOwnAnswers = () => answers.size > 0;

/** The answer to a GET of this address, if it came with the page. */
export const ownAnswer = (address: string): unknown => (performance.now() < freshMs ? answers.get(address) : undefined);

/** The same, once. */
export const takeOwnAnswer = (address: string): unknown => {
  const answer = ownAnswer(address);
  answers.delete(address);
  return answer;
};

/** After a write, or when somebody else is here. */
export const dropOwnAnswers = () => answers.clear();
