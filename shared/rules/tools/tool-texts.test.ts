import { describe, expect, it } from 'vitest';
import { textsOf } from './tool-texts.ts';
import { catalogue, iconOf, toolIcons } from './tools.ts';

const unset = { about: null, audience: null, features: null, benefits: null };

it.each(catalogue.map(({ id }) => id))('%s has features and benefits in tool-texts.ts', (id) => {
  const { features, benefits } = textsOf({ id, ...unset });
  expect(features.length).toBeGreaterThan(0);
  expect(benefits.length).toBeGreaterThan(0);
});

it('the catalogue has no two tools that look alike, and no two icons of one colour', () => {
  expect(new Set(catalogue.map(({ icon }) => icon)).size).toBe(catalogue.length);
  const hues = Object.values(toolIcons);
  expect(new Set(hues).size).toBe(hues.length);
});

describe('a text or icon that an administrator set', () => {
  it('goes before what the release says, also where it is nothing', () => {
    const set = { about: '', audience: 'Everybody', features: ['One'], benefits: [] };
    expect(textsOf({ id: 'risk-profile-ai', ...set })).toEqual(set);
    expect(textsOf({ id: 'risk-profile-ai', ...unset, about: 'Ours' })).toMatchObject({
      about: 'Ours',
      features: expect.arrayContaining(['Guided client questionnaire']),
    });
    expect(textsOf({ id: 'ninth', ...unset })).toEqual({ about: '', audience: '', features: [], benefits: [] });
  });

  it.each([
    ['risk-profile-ai', 'scale', 'scale'],
    ['risk-profile-ai', null, 'gauge'],
    ['ninth', null, 'wrench'],
  ] as const)('shows: %s with the icon %s has %s', (id, icon, shown) => expect(iconOf({ id, icon })).toBe(shown));
});
