/** Schemas and calls come when a form of /auth is first touched: with them zod, a fifth of the page's JavaScript. */
export const loadAccounts = () => import('#shared/api/accounts.ts');

/** Begins to fetch them; a failure is met again, and told, when the form is sent. */
export const prepareAccounts = () => void loadAccounts().catch(() => undefined);
