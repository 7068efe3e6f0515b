/** What the app and the administrators' area ask of accounts. */
export { askForReset } from './factors/change.ts';
export { demandPassword, endSessionsOf, reinstate, setPasswordFor, suspend } from './by-administrator.ts';
export { sendResetLinkFor, sendVerificationFor } from './links-by-administrator.ts';
export { checkPassword } from './sign-in.ts';
