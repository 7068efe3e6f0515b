import { expect, it } from 'vitest';
import { createQueryClient } from '#client/lib/calls/query-client.ts';

it('data is never stale, not refetched on focus, not polled, and nothing is retried', () => {
  const { queries, mutations } = createQueryClient().getDefaultOptions();
  expect(queries).toMatchObject({ staleTime: Infinity, refetchOnWindowFocus: false, retry: false });
  expect(queries?.refetchInterval).toBeUndefined();
  expect(mutations).toMatchObject({ retry: false });
});
