import type { Config } from 'tailwindcss';
import plugin from 'tailwindcss/plugin';
import { toolIcons } from './shared/rules/tools/tools.ts';

/** One colour in both themes: [light, dark]. Every text and background pair is at least 4.5:1 (tokens.test.ts). */
type Pair = readonly [light: string, dark: string];

/**
 * The design's colours by meaning. A tone (primary, success …) is both a fill, with `-foreground` on it, and a text
 * colour on `surface`, `background` and its own `-subtle` fill.
 */
export const colours = {
  background: ['#f7f8f9', '#0c0f12'],
  surface: ['#ffffff', '#14181c'],
  'surface-subtle': ['#f0f2f4', '#1d2329'],
  border: ['#e2e5e9', '#2a3138'],
  /** Outlines of controls: 3:1 against what is around them (WCAG 1.4.11). */
  control: ['#828b96', '#6b7682'],
  text: ['#14191f', '#e9edf1'],
  muted: ['#56606b', '#a0abb6'],
  primary: ['#0b6663', '#4cc2b4'],
  'primary-hover': ['#084f4d', '#6fd3c7'],
  'primary-foreground': ['#ffffff', '#04211e'],
  'primary-subtle': ['#e2f1ef', '#10302d'],
  success: ['#146c3a', '#5cc98a'],
  'success-foreground': ['#ffffff', '#04210f'],
  'success-subtle': ['#e5f4ea', '#112d1d'],
  warning: ['#855000', '#e3b04f'],
  'warning-foreground': ['#ffffff', '#261800'],
  'warning-subtle': ['#fcf2da', '#33270f'],
  danger: ['#b42318', '#f58f85'],
  'danger-hover': ['#8f1a11', '#f8aaa2'],
  'danger-foreground': ['#ffffff', '#2d0805'],
  'danger-subtle': ['#fdeceb', '#3b1714'],
  info: ['#1a58b8', '#82b4f7'],
  'info-foreground': ['#ffffff', '#041833'],
  'info-subtle': ['#e7f0fd', '#132541'],
} as const satisfies Record<string, Pair>;

const hexOf = (hue: number, saturation: number, lightness: number) => {
  const spread = saturation * Math.min(lightness, 1 - lightness);
  const channel = (offset: number) => {
    const at = (offset + hue / 30) % 12;
    const value = lightness - spread * Math.max(-1, Math.min(at - 3, 9 - at, 1));
    return Math.round(value * 255)
      .toString(16)
      .padStart(2, '0');
  };
  return `#${channel(0)}${channel(8)}${channel(4)}`;
};

/** Each tool's colour and the fill behind its icon, from its hue: for cards, the subscribe page and charts alike. */
export const toolColours: Record<string, { colour: Pair; fill: Pair }> = Object.fromEntries(
  Object.entries(toolIcons).map(([icon, hue]) => [
    icon,
    {
      colour: [hexOf(hue, 0.65, 0.29), hexOf(hue, 0.6, 0.72)],
      fill: [hexOf(hue, 0.55, 0.94), hexOf(hue, 0.4, 0.14)],
    },
  ]),
);

const variable = (name: string) => `var(--color-${name})`;
const side = (theme: 0 | 1) =>
  Object.fromEntries(Object.entries(colours).map(([name, pair]) => [`--color-${name}`, pair[theme]]));
/** Puts the tokens on `:root` and `.dark` (paper is always light); `data-tool="{icon}"` on any element gives what is inside it that icon's hue. */
const tokens = plugin(({ addBase }) => {
  addBase({
    ':root': { ...side(0), '--color-tool': colours.primary[0], '--color-tool-subtle': colours['primary-subtle'][0] },
    '.dark': { ...side(1), '--color-tool': colours.primary[1], '--color-tool-subtle': colours['primary-subtle'][1] },
  });
  addBase({ '@media print': { '.dark': side(0) } });
  for (const [icon, { colour, fill }] of Object.entries(toolColours)) {
    addBase({
      [`[data-tool="${icon}"]`]: { '--color-tool': colour[0], '--color-tool-subtle': fill[0] },
      [`.dark [data-tool="${icon}"]`]: { '--color-tool': colour[1], '--color-tool-subtle': fill[1] },
    });
  }
});

export default {
  content: ['./client/index.html', './client/src/**/*.{ts,tsx}'],
  darkMode: 'class',
  theme: {
    colors: {
      transparent: 'transparent',
      current: 'currentColor',
      inherit: 'inherit',
      ...Object.fromEntries([...Object.keys(colours), 'tool', 'tool-subtle'].map((name) => [name, variable(name)])),
    },
    fontFamily: {
      sans: ['"Inter Variable"', '"Inter Fallback"', 'system-ui', 'sans-serif'],
      mono: ['ui-monospace', 'SFMono-Regular', 'Menlo', 'Consolas', 'monospace'],
    },
    /** 12 14 16 20 24 32 48, each on the 4-pixel grid. */
    fontSize: {
      xs: ['0.75rem', '1rem'],
      sm: ['0.875rem', '1.25rem'],
      base: ['1rem', '1.5rem'],
      lg: ['1.25rem', '1.75rem'],
      xl: ['1.5rem', '2rem'],
      '2xl': ['2rem', '2.5rem'],
      '3xl': ['3rem', '3.5rem'],
    },
    borderRadius: { none: '0', sm: '4px', DEFAULT: '8px', full: '9999px' },
    boxShadow: {
      none: 'none',
      faint: '0 1px 2px rgb(16 24 32 / 0.05)',
      popover: '0 4px 8px rgb(16 24 32 / 0.06), 0 12px 32px rgb(16 24 32 / 0.12)',
    },
    transitionDuration: { DEFAULT: '150ms', fast: '120ms', slow: '200ms' },
    extend: {
      maxWidth: { content: '75rem', prose: '40rem', form: '30rem' },
      keyframes: {
        'fade-in': { from: { opacity: '0' } },
        'rise-in': { from: { opacity: '0', transform: 'translateY(4px)' } },
        'slide-in': { from: { opacity: '0', transform: 'translateX(16px)' } },
        'swipe-out': { to: { transform: 'translateX(110%)' } },
      },
      animation: {
        'fade-in': 'fade-in 120ms ease-out',
        'fade-in-late': 'fade-in 120ms 300ms ease-out backwards',
        'rise-in': 'rise-in 150ms ease-out',
        'slide-in': 'slide-in 200ms ease-out',
        'swipe-out': 'swipe-out 120ms ease-out forwards',
      },
    },
  },
  plugins: [tokens],
} satisfies Config;
