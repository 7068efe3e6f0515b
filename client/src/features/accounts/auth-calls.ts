import { accountsApi, registerForm } from '#shared/api/accounts.ts';
import type { Args } from '#shared/api/endpoint.ts';
import { request } from '#client/lib/request.ts';

/** The part of the contract that the forms of /auth use; see load-auth-calls.ts. */
export const schemas = { login: accountsApi.login.body, register: registerForm };

export const login = (args: Args<typeof accountsApi.login>) => request(accountsApi.login, args);
export const register = (args: Args<typeof accountsApi.register>) => request(accountsApi.register, args);
