import { paths } from '#client/lib/pages/paths.ts';
import type { Payer } from '#client/lib/money/payer.ts';

export const invoicesPath = ({ teamId, page = 1, path = paths.invoices }: Payer & { page?: number; path?: string }) => {
  const search = new URLSearchParams();
  if (page > 1) search.set('page', String(page));
  if (teamId) search.set('team', teamId);
  return search.size > 0 ? `${path}?${search.toString()}` : path;
};
