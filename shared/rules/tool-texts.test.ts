import { expect, it } from 'vitest';
import { textsOf } from './tool-texts.ts';
import { catalogue } from './tools.ts';

it.each(catalogue.map(({ id }) => id))('%s has features and benefits in tool-texts.ts', (id) => {
  const { features, benefits } = textsOf(id);
  expect(features.length).toBeGreaterThan(0);
  expect(benefits.length).toBeGreaterThan(0);
});

it('no two tools look the same', () => {
  const looks = catalogue.map(({ icon, hue }) => `${icon} ${hue}`);
  expect(new Set(looks).size).toBe(catalogue.length);
});
