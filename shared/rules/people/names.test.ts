import { expect, it } from 'vitest';
import { nameFault } from './names.ts';

const noAddress = 'Please leave out web and email addresses';
const visible = 'Please use visible characters only';

it.each([
  ['Win $500 at evil.example.com', noAddress],
  ['https://evil.example/x', noAddress],
  ['www.evil', noAddress],
  ['EVIL.COM.AU', noAddress],
  ['bit.ly/x', noAddress],
  ['mia@practice.example', noAddress],
  ['\u202Eevil moc', visible],
  ['\u200B\u200D', visible],
  ['\u3164', visible],
  ['\u2800', visible],
  ['Bit.Ly/x', noAddress],
  ['t.me/x', noAddress],
  ['Evil.De', noAddress],
  ['BIT.LY', noAddress],
  ['St.John', null],
  ['J.De Silva', null],
  ['j.de silva', null],
  ['J.R.De Silva', null],
  ['T.To', null],
  ['Mr.De', null],
  ['Mrs.De Souza', null],
  ['Li.Ca', null],
  ['LI.CA', null],
  ['J.R. Smith', null],
  ["O'Connor & Co. Advisers", null],
  ['Wealth Pty. Ltd.', null],
  ['佐藤', null],
  ['علی\u200Cرضا', null],
  ['', null],
])('a name that hides an address or nothing is refused: %j, %s', (text, fault) => expect(nameFault(text)).toBe(fault));
