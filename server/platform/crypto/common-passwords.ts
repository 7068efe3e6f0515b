import { dictionary } from '@zxcvbn-ts/language-common';
import { passwordGuessable, passwordTooCommon } from '#shared/rules/people/accounts.ts';
import { isGuessableFor } from '#shared/rules/people/guessable.ts';
import { fieldError } from '../http/app-error.ts';

const common = new Set(dictionary['passwords-common'].map((password) => password.toLowerCase()));

/** Whether it is one of the passwords most often found in leaks, in upper or lower case. */
export const isCommonPassword = (plain: string) => common.has(plain.toLowerCase());

/** Refuses a common password, or one that can be guessed from its owner's details, as a fault of the field it was typed into. */
export function refuseWeakPassword(field: string, plain: string, person: Parameters<typeof isGuessableFor>[1]): void {
  if (isCommonPassword(plain)) throw fieldError(field, passwordTooCommon);
  if (isGuessableFor(plain, person)) throw fieldError(field, passwordGuessable);
}
