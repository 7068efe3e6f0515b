import { describe, expect, it } from 'vitest';
import { colours, toolColours } from '../../../tailwind.config.ts';

type Name = keyof typeof colours;
const tones = ['primary', 'success', 'warning', 'danger', 'info'] as const;
const grounds: Name[] = ['background', 'surface', 'surface-subtle'];

const textOnGround: [Name, Name][] = [
  ...(['text', 'muted', ...tones] as const).flatMap((text) => grounds.map((ground): [Name, Name] => [text, ground])),
  ...tones.flatMap((tone): [Name, Name][] => [
    [`${tone}-foreground`, tone],
    [tone, `${tone}-subtle`],
    ['text', `${tone}-subtle`],
    ['muted', `${tone}-subtle`],
  ]),
  ['primary-foreground', 'primary-hover'],
  ['danger-foreground', 'danger-hover'],
  ['primary-hover', 'surface'],
];
const outlines: [Name, Name][] = [
  ...grounds.map((ground): [Name, Name] => ['control', ground]),
  ...grounds.map((ground): [Name, Name] => ['primary', ground]),
];

/** WCAG 2.2: (lighter + 0.05) / (darker + 0.05) of relative luminance. */
const luminance = (hex: string) => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
const contrast = (one: string, other: string) => {
  const [light, dark] = [luminance(one), luminance(other)].toSorted((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
};

it('measures contrast as WCAG does', () => {
  expect(contrast('#ffffff', '#000000')).toBeCloseTo(21, 5);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
});

describe.each([
  ['light', 0],
  ['dark', 1],
] as const)('in the %s theme', (_theme, side) => {
  it.each(textOnGround)('%s can be read on %s', (text, ground) => {
    expect(contrast(colours[text][side], colours[ground][side])).toBeGreaterThanOrEqual(4.5);
  });

  it.each(outlines)('%s outlines a control on %s', (outline, ground) => {
    expect(contrast(colours[outline][side], colours[ground][side])).toBeGreaterThanOrEqual(3);
  });

  it.each(Object.entries(toolColours))('the colour of %s can be read on its fill and the grounds', (_id, tool) => {
    for (const ground of [tool.fill, colours.surface, colours.background]) {
      expect(contrast(tool.colour[side], ground[side])).toBeGreaterThanOrEqual(4.5);
    }
    expect(contrast(colours.text[side], tool.fill[side])).toBeGreaterThanOrEqual(4.5);
  });
});
