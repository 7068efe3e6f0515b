import path from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { browserOptions } from './browser.ts';
import { startE2eServer } from './child-server.ts';
import startRunPostgres from './run-postgres.ts';
import { liveAsAdviser } from './screenshots/adviser.ts';
import { drawIcons, drawSocialPicture, webp, write } from './screenshots/pictures.ts';

/**
 * `npm run screenshots`: the pictures of the landing page, of shared links and of home screens, from the built product on
 * demo data. Their sizes are those that client/src/features/site/product-screenshot.tsx names.
 */
const root = path.resolve(import.meta.dirname, '../..');
const shotsFolder = path.join(root, 'client/src/features/site/screenshots');
const publicFolder = path.join(root, 'client/public');

const frames = {
  wide: { width: 1200, height: 750, outputs: [1200, 2000] },
  narrow: { width: 390, height: 620, outputs: [780] },
} as const;

const shots = [
  { name: 'dashboard', path: '/', frames: ['wide', 'narrow'] },
  { name: 'subscribe', path: '/subscribe/pre-fill-ai', frames: ['wide'] },
] as const;

const stopPostgres = await startRunPostgres();
const server = await startE2eServer();
const base = server.url;
const browser = await chromium.launch(browserOptions());

/** What moves, waits or belongs to a visitor's pointer is not in a picture. */
const settle = async (page: Page) => {
  await page.waitForLoadState('networkidle');
  await page.addStyleTag({ content: '*{caret-color:transparent!important} html{scrollbar-width:none}' });
  await page.evaluate(() => document.fonts.ready);
};

try {
  const adviser = await browser.newContext({ baseURL: base });
  await liveAsAdviser(await adviser.newPage(), base);
  const session = await adviser.storageState();
  const encoder = await browser.newPage();

  for (const colorScheme of ['light', 'dark'] as const) {
    for (const shot of shots) {
      for (const name of shot.frames) {
        const { width, height, outputs } = frames[name];
        const page = await browser.newPage({
          baseURL: base,
          storageState: session,
          colorScheme,
          viewport: { width, height },
          deviceScaleFactor: 2,
          locale: 'en-AU',
          timezoneId: 'Australia/Sydney',
          reducedMotion: 'reduce',
        });
        await page.goto(shot.path);
        await settle(page);
        const png = await page.screenshot();
        await page.close();
        for (const output of outputs)
          write(shotsFolder, `${shot.name}-${colorScheme}-${output}.webp`, await webp(encoder, png, output, 0.8));
        if (shot.name === 'dashboard' && name === 'wide' && colorScheme === 'light')
          await drawSocialPicture(browser, publicFolder, png, base);
      }
    }
  }
  await drawIcons(browser, publicFolder);
} finally {
  await browser.close();
  await server.stop();
  await stopPostgres();
}
