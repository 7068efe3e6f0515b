import type { PayerProps } from '#client/features/billing/payer.ts';
import { paths } from '#client/lib/paths.ts';

/** The page of invoices; its page and its payer stand in the address. */
export const invoicesPath = ({
  teamId,
  page = 1,
  path = paths.invoices,
}: PayerProps & { page?: number; path?: string }) => {
  const search = new URLSearchParams();
  if (page > 1) search.set('page', String(page));
  if (teamId !== undefined) search.set('team', teamId);
  return search.size > 0 ? `${path}?${search.toString()}` : path;
};
