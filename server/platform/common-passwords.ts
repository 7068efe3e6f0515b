import { dictionary } from '@zxcvbn-ts/language-common';

const common = new Set(dictionary['passwords-common'].map((password) => password.toLowerCase()));

/** Whether it is among the passwords most often found in leaks, whatever its capitals (decisions §16). */
export function isCommonPassword(plain: string): boolean {
  return common.has(plain.toLowerCase());
}
