import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { passwordGuessable, passwordTooCommon } from '#shared/rules/people/accounts.ts';
import { isGuessableFor } from '#shared/rules/people/guessable.ts';
import type { Context } from '../context.ts';
import { fieldError } from '../http/app-error.ts';
import { askerOf } from '../http/rate-limit.ts';

/** What zxcvbn says of a password: from 0, guessed at once, to 4, and the name of what makes it easy. */
export type Judgement = { score: number; warning: string | null };
export type JudgedPassword = { plain: string; own: readonly string[] };

const enough = 3;
/** More of a password is not looked at: it would take long, and so much is strong by its beginning. */
const looksAt = 100;
/** Words of the trade, which an attacker tries of an adviser. */
const trade =
  `adviserly adviser advisor advice practice wealth finance financial planner planning super superannuation insurance mortgage
  broker fund invest investment retire retirement client portfolio estate asset`.split(/\s+/);

const reasons: Record<string, string> = {
  straightRow: 'It is a row of keys.',
  keyPattern: 'It is a short pattern of keys.',
  simpleRepeat: 'It repeats a character.',
  extendedRepeat: 'It repeats itself.',
  sequences: 'It follows a sequence, such as abc.',
  recentYears: 'It is a recent year.',
  dates: 'It is a date.',
  similarToCommon: 'It is much like a common password.',
  wordByItself: 'It is a single word.',
  namesByThemselves: 'It is a name.',
  commonNames: 'It is a common name.',
  userInputs: 'It uses your name, your email address or a word of your trade.',
};
const common = ['topTen', 'topHundred', 'common'];

const wordsOf = (text: string | null | undefined) => [text ?? '', ...(text ?? '').split(/[^\p{L}\d]+/u)];
type Person = Partial<{ email: string; firstName: string; lastName: string; businessName: string | null }>;

/** Refuses a password that is guessed in few tries, as a fault of the field it was typed into, and says why. */
export async function refuseWeakPassword(
  context: Context,
  field: string,
  plain: string,
  person: Person,
): Promise<void> {
  const { email, firstName, lastName, businessName } = person;
  const own = [email?.replace('@', ' '), firstName, lastName, businessName]
    .flatMap(wordsOf)
    .filter((word) => word.length > 2);
  const judged = { plain: plain.slice(0, looksAt), own: [...new Set([...own, ...trade])] };
  const { score, warning } = await context.passwords.judge(judged, askerOf(context));
  if (score < enough && common.includes(warning ?? '')) throw fieldError(field, passwordTooCommon);
  if (isGuessableFor(plain, person)) throw fieldError(field, passwordGuessable);
  if (score < enough)
    throw fieldError(
      field,
      `This password is easy to guess. ${reasons[warning ?? ''] ?? 'It is made of a few well-known parts.'} Please add another word or two.`,
    );
}

// A string, because the bundle has no separate file for this thread.
const source = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { ZxcvbnFactory } = require(workerData.core);
  const { dictionary, adjacencyGraphs } = require(workerData.words);
  const judge = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
  parentPort.on('message', ({ plain, own }) => {
    try {
      const { score, feedback } = judge.check(plain, own);
      parentPort.postMessage({ result: { score, warning: feedback.warning } });
    } catch (error) {
      parentPort.postMessage({ fault: String(error && error.message) });
    }
  });
`;

/** In a thread, since a long password takes a tenth of a second or more. */
export function startJudge(): Worker {
  const require = createRequire(import.meta.url);
  const workerData = { core: require.resolve('@zxcvbn-ts/core'), words: require.resolve('@zxcvbn-ts/language-common') };
  return new Worker(source, { eval: true, workerData, execArgv: [], name: 'password-judge' });
}
