import { describe, expect, it } from 'vitest';
import { billingAddress } from './billing.ts';
import { email, line, multiline, nameLine, postcode } from './fields.ts';
import { profileForm } from './profile.ts';

const reads = (schema: { safeParse: (value: unknown) => { success: boolean; data?: unknown } }, typed: unknown) => {
  const { success, data } = schema.safeParse(typed);
  return success ? data : 'refused';
};

describe('an address of e-mail is what browsers and RFC 5321 call valid', () => {
  it.each([
    ['r&d@practice.example (zod#3913)', 'r&d@practice.example', 'r&d@practice.example'],
    ['an apostrophe', "o'brien@practice.example", "o'brien@practice.example"],
    ['a tag', 'Mia+Tools@Practice.Example', 'mia+tools@practice.example'],
    ['a slash and a brace', 'a/b{c}@practice.example', 'a/b{c}@practice.example'],
    ['a local part of 64', `${'a'.repeat(64)}@practice.example`, `${'a'.repeat(64)}@practice.example`],
    ['another alphabet before the @', 'δοκιμή@practice.example', 'δοκιμή@practice.example'],
    ['a decomposed name', 'rene\u0301@practice.example', 'rené@practice.example'],
    ['an internationalised domain', 'kim@MÜNCHEN.example', 'kim@xn--mnchen-3ya.example'],
    ['its other form', 'kim@xn--mnchen-3ya.example', 'kim@xn--mnchen-3ya.example'],
    ['a full-width @ (fjordllc/bootcamp#7638)', 'kim＠practice.example', 'kim@practice.example'],
    ['an invisible character pasted with it', '\u200Bkim@practice.example\u00A0', 'kim@practice.example'],
    ['invisible characters inside (jquery-validation#1287)', 'xyz@\u200Bgmail.\u2060com', 'xyz@gmail.com'],
    ['a label that ends in a hyphen', 'kim@practice-.example', 'refused'],
    ['a label that begins with one', 'kim@-practice.example', 'refused'],
    ['a label of 64', `kim@${'a'.repeat(64)}.example`, 'refused'],
    ['a local part of 65', `${'a'.repeat(65)}@practice.example`, 'refused'],
    ['two dots', 'a..b@practice.example', 'refused'],
    ['a dot at the end of the local part', 'a.@practice.example', 'refused'],
    ['no dot in the domain (exercism#7721)', 'kim@practice', 'refused'],
    ['a number for a top level', 'kim@practice.123', 'refused'],
    ['a blank inside', 'kim lee@practice.example', 'refused'],
    ['two @', 'a@b@practice.example', 'refused'],
    ['a path for a domain', 'kim@practice.example/x', 'refused'],
    ['a port', 'kim@practice.example:25', 'refused'],
    ['255 characters', `kim@${'a.'.repeat(122)}example`, 'refused'],
  ])('%s', (_what, typed, read) => expect(reads(email, typed)).toBe(read));
});

describe('what is pasted is cleaned before it is judged (webawesome#2441)', () => {
  it.each([
    ['a postcode with a blank', postcode, ' 2000', '2000'],
    ['a postcode with a no-break blank', postcode, '2000\u00A0', '2000'],
    ['a postcode with a direction mark', postcode, '\u202D2000\u202C', '2000'],
    ['a full-width postcode', postcode, '２０００', '2000'],
    [
      'a phone from a contact card',
      profileForm.shape.mobile,
      '\u202A+61\u00A0412\u2011345\u2011678\u202C',
      '+61412345678',
    ],
    ['an ABN from a register', profileForm.shape.abn, '51\u00A0824\u00A0753\u00A0556', '51824753556'],
    ['a name of 100 characters and a zero-width one', nameLine(100, 'x'), `\uFEFF${'a'.repeat(100)}`, 'a'.repeat(100)],
    ['a decomposed name of 100', nameLine(100, 'x'), 'e\u0301'.repeat(100), 'é'.repeat(100)],
    [
      'a text from a word processor (helsenorge/structor#280)',
      multiline(20),
      'Dear\u00A0all,\n\u00A0yes',
      'Dear all,\n yes',
    ],
    ['a line break', line(10), 'a\nb', 'refused'],
    ['nothing but a zero-width space', nameLine(10, 'x'), '\u200B', 'refused'],
  ])('%s', (_what, schema, typed, read) => expect(reads(schema, typed)).toBe(read));

  it('a billing address too', () => {
    const typed = { line1: '1\u00A0Pitt\u2010Street', city: ' Sydney\u200B', state: 'NSW', postcode: '\u00A02000' };
    expect(billingAddress.parse(typed)).toMatchObject({ line1: '1 Pitt-Street', city: 'Sydney', postcode: '2000' });
  });
});
