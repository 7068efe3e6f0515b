import { day } from '../dates.ts';
import { cleanCode } from '../text.ts';

/** An authenticator app (TOTP), or a passkey. */
export const factorKinds = ['app', 'passkey'] as const;

/** How many factors one account may have. */
export const maxFactors = 10;
export const factorNameLength = 60;
export const recoveryCodeCount = 10;

export const rememberDays = 30;
/** Between an administrator's reset and its effect, so that the account's owner can object. */
export const resetDelayMs = day;

/** How long a sign-in waits for its second step and a ceremony for its answer, and how long a proof counts, in milliseconds. */
export const pendingMs = 10 * 60_000;
export const proofMs = 10 * 60_000;

/** Six digits are an app's; anything else is tried as a recovery code. */
export const isAppCode = (code: string) => /^\d{6}$/.test(code);

/** As people type it: spaces in an app's code, any case and grouping in a recovery code. */
export const normaliseCode = (code: string) => cleanCode(code).replace(/[\s-]/g, '').toLowerCase();
