import { describe, expect, it } from 'vitest';
import { factsOf, fieldsOn, type ProfileField, profileFields, type ProfileTab } from '#shared/rules/people/profile.ts';
import { contract } from '#shared/api/members.ts';
import { overProfile, tabSchemas } from './profile-form.tsx';

const typed = {
  firstName: 'Mia',
  lastName: 'Wong',
  mobile: '0412 345 678',
  businessName: 'Wong Advice',
  dealerGroup: 'Independent',
  businessAddress: '1 Collins Street',
  businessCity: 'Melbourne',
  businessState: 'VIC',
  businessPostcode: '3000',
  afslNumber: '',
  abn: '',
  adviserNumber: '001234567',
  professionalCredentials: ['CFP'],
  specializationAreas: ['Tax Planning'],
} satisfies Record<ProfileField, string | string[]>;
const part = (names: readonly string[]) => Object.fromEntries(Object.entries(typed).filter(([n]) => names.includes(n)));
const tabs = Object.entries(tabSchemas).map(([tab, schema]) => ({ tab: tab as ProfileTab, schema }));

describe.each(tabs)('the $tab tab of the profile', ({ tab, schema }) => {
  it('sends each of its fields', () => {
    const sent = schema.parse(part(fieldsOn(tab)));
    expect(Object.keys(sent).toSorted()).toEqual(fieldsOn(tab).toSorted());
  });

  it.each([...profileFields.filter((name) => factsOf(name).tab !== tab), 'nickname'])(
    'refuses %s instead of dropping it',
    (name) => {
      const { success, error } = schema.safeParse({ ...part(fieldsOn(tab)), [name]: 'x' });
      expect(success).toBe(false);
      expect(error?.issues).toMatchObject([{ code: 'unrecognized_keys', keys: [name] }]);
    },
  );
});

it('the completion page asks for the whole profile but the names, and refuses more', () => {
  const schema = overProfile(contract.accounts.completeProfile.body);
  const { firstName: _first, lastName: _last, ...asked } = typed;
  expect(Object.keys(schema.parse(asked)).toSorted()).toEqual(Object.keys(asked).toSorted());
  expect(schema.safeParse(typed).success).toBe(false);
});
