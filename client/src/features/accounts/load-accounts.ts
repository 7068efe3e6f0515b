/** Schemas and calls load when a form on /auth is first touched: they bring zod, a fifth of the page's JavaScript. */
export const loadAccounts = () => import('#shared/api/accounts.ts');

/** Starts to fetch them. If that fails, sending the form tries again, and says so if it fails too. */
export const prepareAccounts = () => void loadAccounts().catch(() => undefined);
