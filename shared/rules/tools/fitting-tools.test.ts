import { expect, it } from 'vitest';
import { specializations } from '#shared/rules/people/accounts.ts';
import { catalogue } from './tools.ts';
import { fittingTools, toolsByArea } from './fitting-tools.ts';

const sold = catalogue.filter(({ basePrice, comingSoon }) => Number(basePrice) > 0 && !comingSoon);
const ids = (areas: readonly string[], wanted?: string) => fittingTools(sold, areas, wanted).map(({ id }) => id);

it.each(specializations)('names three tools on sale for %s', (area) => {
  expect(new Set(toolsByArea[area])).toHaveLength(3);
  expect(new Set(ids([area]))).toEqual(new Set(toolsByArea[area]));
});

it.each(sold.map(({ id }) => id))('fits an area, so that somebody is shown it: %s', (id) => {
  expect(Object.values(toolsByArea).flat()).toContain(id);
});

it('weighs several areas together', () => {
  expect(ids(['Wealth Management', 'Share Trading & Analysis'])).toEqual([
    'risk-profile-ai',
    'portfolio-ai',
    'share-advice-ai',
  ]);
});

it('puts the tool that somebody came for first', () => {
  expect(ids(['Share Trading & Analysis'], 'file-note-ai')).toEqual([
    'file-note-ai',
    'share-advice-ai',
    'portfolio-ai',
  ]);
});

it('fills up with the first of the catalogue where no area is known', () => {
  expect(ids(['Something else'])).toEqual(['risk-profile-ai', 'fact-find-ai', 'file-note-ai']);
});
