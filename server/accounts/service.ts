export { checkNewAdministrator, makeAdministrator, removeAdministrator } from './administrators.ts';
export { askForReset } from './factors/change-factors.ts';
export { factorSince } from './factors/queries.ts';
export * from './by-administrator.ts';
export { checkMove, moveEmailBack, moveEmailFor } from './move-email.ts';
export { sendVerificationFor } from './verification.ts';
export { checkPassword } from './sign-in.ts';
