import { expect, it } from 'vitest';
import { listedAddresses } from './invitation-list.ts';

const shown = (text: string) => listedAddresses(text).map(({ email, role, fault }) => [email, role, fault]);

it.each<[string, string, [string, string | null, string | null][]]>([
  [
    'one a line',
    'a@x.example\nb@x.example\r\n\n',
    [
      ['a@x.example', null, null],
      ['b@x.example', null, null],
    ],
  ],
  [
    'with commas',
    'a@x.example, b@x.example;c@x.example',
    [
      ['a@x.example', null, null],
      ['b@x.example', null, null],
      ['c@x.example', null, null],
    ],
  ],
  [
    'from a mail program',
    'Hugh Lang <Hugh@X.example>, "Mei, Tan" <mei@x.example>',
    [
      ['hugh@x.example', null, null],
      ['mei@x.example', null, null],
    ],
  ],
  [
    'a CSV file with roles',
    'Name,Email,Role\nHugh,hugh@x.example,Admin\n"Mei","mei@x.example","reviewer"',
    [
      ['hugh@x.example', 'admin', null],
      ['mei@x.example', 'reviewer', null],
    ],
  ],
  [
    'twice',
    'a@x.example\nA@x.example',
    [
      ['a@x.example', null, null],
      ['a@x.example', null, 'twice'],
    ],
  ],
  [
    'no address',
    'a@x.example\nHugh Lang',
    [
      ['a@x.example', null, null],
      ['Hugh Lang', null, 'invalid'],
    ],
  ],
  ['half an address', 'hugh@practice', [['hugh@practice', null, 'invalid']]],
  ['an owner’s role is not given', 'a@x.example,owner', [['a@x.example', null, null]]],
  ['nothing', ' \n', []],
])('reads a list: %s', (_what, text, expected) => {
  expect(shown(text)).toEqual(expected);
});
