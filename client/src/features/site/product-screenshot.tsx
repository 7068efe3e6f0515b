import { clsx } from 'clsx';
import dashboardDark1200 from './screenshots/dashboard-dark-1200.webp';
import dashboardDark2000 from './screenshots/dashboard-dark-2000.webp';
import dashboardDark780 from './screenshots/dashboard-dark-780.webp';
import dashboardLight1200 from './screenshots/dashboard-light-1200.webp';
import dashboardLight2000 from './screenshots/dashboard-light-2000.webp';
import dashboardLight780 from './screenshots/dashboard-light-780.webp';
import subscribeDark1200 from './screenshots/subscribe-dark-1200.webp';
import subscribeDark2000 from './screenshots/subscribe-dark-2000.webp';
import subscribeLight1200 from './screenshots/subscribe-light-1200.webp';
import subscribeLight2000 from './screenshots/subscribe-light-2000.webp';

type Picture = { src: string; srcSet?: string; width: number; height: number };
type Screenshot = {
  alt: string;
  wide: { light: Picture; dark: Picture };
  /** For narrow screens, which otherwise get the wide one. */
  narrow?: { light: Picture; dark: Picture };
};

/** server/testing/screenshots.ts takes the pictures in these sizes. */
const wide = (small: string, large: string): Picture => ({
  src: small,
  srcSet: `${small} 1200w, ${large} 2000w`,
  width: 1200,
  height: 750,
});
const narrow = (src: string): Picture => ({ src, width: 390, height: 620 });

export const dashboardScreenshot: Screenshot = {
  alt: 'The dashboard of an adviser: the tools with their sessions, the trial under way, and the tools to add.',
  wide: {
    light: wide(dashboardLight1200, dashboardLight2000),
    dark: wide(dashboardDark1200, dashboardDark2000),
  },
  narrow: { light: narrow(dashboardLight780), dark: narrow(dashboardDark780) },
};

export const subscribeScreenshot: Screenshot = {
  alt: 'The subscribe screen: what the tool does, the free trial, and the price line by line before anything is paid.',
  wide: {
    light: wide(subscribeLight1200, subscribeLight2000),
    dark: wide(subscribeDark1200, subscribeDark2000),
  },
};

type Props = { screenshot: Screenshot; sizes?: string; className?: string };

/**
 * A screenshot in the page's theme. Only the visible one is downloaded: browsers do not fetch lazy images that are
 * hidden.
 */
export const ProductScreenshot = ({ screenshot, sizes = '(min-width: 1200px) 1152px, 100vw', className }: Props) => {
  const variants = [
    [screenshot.wide.light, screenshot.narrow ? 'hidden sm:block dark:hidden' : 'dark:hidden'],
    [screenshot.wide.dark, clsx('hidden', screenshot.narrow ? 'dark:sm:block' : 'dark:block')],
    [screenshot.narrow?.light, 'sm:hidden dark:hidden'],
    [screenshot.narrow?.dark, 'hidden dark:max-sm:block'],
  ] as const;
  return (
    <div className={clsx('w-full overflow-hidden rounded border bg-surface shadow-popover', className)}>
      {variants.map(
        ([picture, visible]) =>
          picture && (
            <img
              key={picture.src}
              {...picture}
              sizes={picture.srcSet && sizes}
              alt={screenshot.alt}
              loading="lazy"
              className={clsx('h-auto w-full', visible)}
            />
          ),
      )}
    </div>
  );
};
