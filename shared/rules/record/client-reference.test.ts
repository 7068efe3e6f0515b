import { describe, expect, it } from 'vitest';
import { clientReferenceFault } from './client-reference.ts';

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
