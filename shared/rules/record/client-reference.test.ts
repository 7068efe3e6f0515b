import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { clientReferenceFault, keyOfReference } from './client-reference.ts';
import { personalDataIn } from './personal-numbers.ts';

/** What practices use, what is somebody's data, and what can't be told apart. */
const table = fs
  .readFileSync(path.join(import.meta.dirname, 'client-references.tsv'), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split('\t') as [string, 'accepted' | 'refused' | 'either']);

it.each(table)('the client reference %j is %s', (text, must) => {
  const fault = clientReferenceFault(text);
  if (must === 'accepted') expect(fault).toBeNull();
  if (must === 'refused') expect(fault).not.toBeNull();
  if (fault !== null) expect(fault).toMatch(/such as F-10234\.$|write a letter before it: F\d+\.$/);
  const suggested = /write a letter before it: (F\d+)\./.exec(fault ?? '')?.[1];
  if (suggested !== undefined) expect(clientReferenceFault(suggested)).toBeNull();
});

it('one client reference is found however it is written', () => {
  for (const text of ['F-10208', 'f 10208', 'F10208', 'f-102 08']) expect(keyOfReference(text)).toBe('f10208');
  expect(keyOfReference('F/10208')).not.toBe('f10208');
});

describe('a remark', () => {
  it.each([
    ['Met John Smith, TFN 123 456 782', 'a tax file number'],
    ['His number is 123456782', 'a tax file number'],
    ['ring 0412 345 678', 'a phone number'],
    ['office (07) 3211 4455', 'a phone number'],
    ['write to jo@example.com', 'an email address'],
    ['Medicare 2123 45670 1', 'a Medicare number'],
    ['paid by 4242 4242 4242 4242', 'a card number'],
    ['CRN 204 123 456A', 'a Centrelink number'],
    ['pension of 204123456A', 'a Centrelink number'],
    ['BSB 064-000, account 12345678', 'a bank account'],
    ['064-000 12345678', 'a bank account'],
    ['born 1/2/1965', 'a date of birth'],
    ['1965-02-01 was wrong', 'a date of birth'],
    ['DOB: 010265', 'a date of birth'],
    ['QLD DL 012345678', 'a licence number'],
  ])('%j holds %s', (text, what) => expect(personalDataIn(text)).toBe(what));

  it.each([
    'Two figures corrected.',
    'Compared with the fact find of 12/05/2026, all well.',
    'Fees of $1,250.00 and 3.5% were wrong in 2 places',
    'Version 2.10.31 left out the insurance of Jane',
    'The TFN was taken out, as was the date of birth.',
    'Balance 412,300 on 30 June 2026 for F-10234',
    'Pages 12-14 and 2026/0417 checked',
    'ROA 2026-12',
  ])('%j holds none', (text) => expect(personalDataIn(text)).toBeNull());
});

describe('a client reference', () => {
  it.each([
    'F-10234',
    '10234',
    '2026/0417',
    'FILE 88',
    'Client-1024',
    'SMSF-0192',
    'SYD/4471-B',
    'JS 1002',
    '#4471.2',
    'a1b2c3',
    '123456789',
    'Q12345678901',
  ])('may be %s', (text) => expect(clientReferenceFault(text)).toBeNull());

  it.each([
    ['Jane Citizen', 'a name'],
    ['Smith', 'a name'],
    ['smith 2', 'a name'],
    ['SMITH-2026', 'a name'],
    ['Lee 4', 'a name'],
    ['Nguyễn 7', 'a name'],
    ['李 7', 'a name'],
    ["O'Brien 12", 'a name'],
    ['TFN123Mary', 'a name'],
    ['jane@example.com', 'an email address'],
    ['0491 570 156', 'a phone number'],
    ['+61 491 570 156', 'a phone number'],
    ['(02) 5550 1234', 'a phone number'],
    ['1300 975 707', 'a phone number'],
    ['123 456 782', 'a tax file number'],
    ['TFN 123456782', 'a tax file number'],
    ['2123 45670 1', 'a Medicare number'],
    ['2123456701-1', 'a Medicare number'],
    ['12/05/1967', 'a date of birth'],
  ])('may not be %s: it looks like %s', (text, what) => expect(clientReferenceFault(text)).toContain(`like ${what}.`));

  it.each(['', 'F', 'ABC', 'F-1;drop', '<b>1</b>'])('may not be %j', (text) =>
    expect(clientReferenceFault(text)).toMatch(/such as F-10234/),
  );
});
