import { expect, it } from 'vitest';
import { pagesAdded } from './use-counted-query.ts';

it('pages are asked for to the end, and only the counts are added up', async () => {
  const pages = [
    { dearer: 1, same: 2, beforeCents: 3000, next: 'a' },
    { dearer: 0, same: 5, beforeCents: 3000, next: 'b' },
    { dearer: 4, same: 0, beforeCents: 3000, next: null },
  ];
  const asked: (string | null)[] = [];
  const sum = await pagesAdded(
    (after) => {
      asked.push(after);
      return Promise.resolve(pages[asked.length - 1]!);
    },
    ['dearer', 'same'],
  );
  expect(sum).toEqual({ dearer: 5, same: 7, beforeCents: 3000, next: null });
  expect(asked).toEqual([null, 'a', 'b']);
});
