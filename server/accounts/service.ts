/** What the app and the administrators' area ask of accounts. */
export { askForReset } from './factors/change.ts';
export { setPasswordFor } from './reset-password.ts';
export { checkPassword } from './sign-in.ts';
