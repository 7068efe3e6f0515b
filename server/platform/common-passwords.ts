import { dictionary } from '@zxcvbn-ts/language-common';
import { passwordTooCommon } from '#shared/rules/accounts.ts';
import { fieldError } from './app-error.ts';

const common = new Set(dictionary['passwords-common'].map((password) => password.toLowerCase()));

/** Whether it is one of the passwords most often found in leaks, in upper or lower case. */
export const isCommonPassword = (plain: string) => common.has(plain.toLowerCase());

/** Refuses such a password, as a fault of the field it was typed into. */
export function refuseCommonPassword(field: string, plain: string): void {
  if (isCommonPassword(plain)) throw fieldError(field, passwordTooCommon);
}
