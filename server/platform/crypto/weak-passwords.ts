import { passwordGuessable, passwordTooCommon } from '#shared/rules/people/accounts.ts';
import { isGuessableFor } from '#shared/rules/people/guessable.ts';
import type { Context } from '../context.ts';
import { fieldError } from '../http/app-error.ts';
import { askerOf } from '../http/rate-limit.ts';

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
