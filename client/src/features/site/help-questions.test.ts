import { expect, it } from 'vitest';
import { findQuestions } from './help-questions.ts';

const found = (search: string) =>
  findQuestions(search).flatMap(({ questions }) => questions.map(({ question }) => question));

it.each(["won't open", 'wont open', 'WON’T  OPEN', 'won`t\u00A0open', '\u200Bwón’t open'])(
  'the question of a tool that won’t open is found by %j',
  (search) => expect(found(search)).toContain('A tool won’t open. What can I do?'),
);

it('no question is found by words that none has', () => expect(found('zebra crossing')).toEqual([]));
