/** What the app and the administrators' area ask of accounts. */
export { setPasswordFor } from './reset-password.ts';
export { checkPassword } from './sign-in.ts';
