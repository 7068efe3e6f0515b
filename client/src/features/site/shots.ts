import type { Picture, Shot } from '#client/features/site/product-shot.tsx';
import dashboardDark1200 from './shots/dashboard-dark-1200.webp';
import dashboardDark2000 from './shots/dashboard-dark-2000.webp';
import dashboardDark780 from './shots/dashboard-dark-780.webp';
import dashboardLight1200 from './shots/dashboard-light-1200.webp';
import dashboardLight2000 from './shots/dashboard-light-2000.webp';
import dashboardLight780 from './shots/dashboard-light-780.webp';
import subscribeDark1200 from './shots/subscribe-dark-1200.webp';
import subscribeDark2000 from './shots/subscribe-dark-2000.webp';
import subscribeLight1200 from './shots/subscribe-light-1200.webp';
import subscribeLight2000 from './shots/subscribe-light-2000.webp';

/** Sizes on the page; server/testing/screenshots.ts takes the pictures in them. */
const wide = (small: string, large: string): Picture => ({
  src: small,
  srcSet: `${small} 1200w, ${large} 2000w`,
  width: 1200,
  height: 750,
});
const narrow = (src: string): Picture => ({ src, width: 390, height: 620 });

export const dashboardShot: Shot = {
  alt: 'The dashboard of an adviser: tools with their sessions and prices, time saved, and the trials under way.',
  wide: {
    light: wide(dashboardLight1200, dashboardLight2000),
    dark: wide(dashboardDark1200, dashboardDark2000),
  },
  narrow: { light: narrow(dashboardLight780), dark: narrow(dashboardDark780) },
};

export const subscribeShot: Shot = {
  alt: 'The subscribe screen: what the tool does, the free trial, and the price line by line before anything is paid.',
  wide: {
    light: wide(subscribeLight1200, subscribeLight2000),
    dark: wide(subscribeDark1200, subscribeDark2000),
  },
};
