import { expect, it } from 'vitest';
import { createQueryClient } from '#client/lib/calls/query-client.ts';

it('the client never takes data for stale, refetches on focus, polls or retries', () => {
  const { queries, mutations } = createQueryClient().getDefaultOptions();
  expect(queries).toMatchObject({ staleTime: Infinity, refetchOnWindowFocus: false, retry: false });
  expect(queries?.refetchInterval).toBeUndefined();
  expect(mutations).toMatchObject({ retry: false });
});
