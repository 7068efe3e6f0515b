import type { Endpoint } from './endpoint.ts';

/** What goes into a call's address. */
export type AddressParts = { params?: Record<string, string>; query?: Record<string, unknown> };

/** The URL of a GET, for links and downloads. */
export const addressOf = (endpoint: Pick<Endpoint, 'path'>, { params = {}, query = {} }: AddressParts = {}) => {
  const path = endpoint.path.replace(/:(\w+)/g, (_match, name: string) => encodeURIComponent(params[name] ?? ''));
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return search ? `${path}?${search}` : path;
};
