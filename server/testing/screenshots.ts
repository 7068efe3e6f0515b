import path from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { browserOptions } from './browser.ts';
import { startE2eServer } from './child-server.ts';
import { demoPassword, emailOf } from '#server/dev/seed/demo.ts';
import startRunPostgres from './run-postgres.ts';
import { drawIcons, drawOutputs, drawSocialPicture, webp, write } from './screenshots/pictures.ts';
import { project } from './source-files.ts';

/**
 * `npm run screenshots`: the pictures of the landing page, the README, shared links and home screens, from the built product after
 * the demo's three months. client/src/features/site/product-screenshot.tsx names the same sizes.
 */
const shotsFolder = path.join(project, 'client/src/features/site/screenshots');
const publicFolder = path.join(project, 'client/public');

const frames = {
  wide: { width: 1200, height: 750, outputs: [1200, 2000] },
  text: { width: 1200, height: 640, outputs: [1200] },
  // On a phone with a slow line it is the largest paint, hence its lower quality.
  narrow: { width: 390, height: 620, outputs: [780] },
} as const;
const quality = { wide: 0.8, text: 0.8, narrow: 0.55 };

const shots = [
  { name: 'dashboard', who: 'adviser', path: '/', frames: ['wide', 'narrow'], dark: true },
  { name: 'subscribe', who: 'adviser', path: '/subscribe/portfolio-ai', frames: ['wide'], dark: true },
  // For the README.
  { name: 'team', who: 'owner', path: '/teams?tab=usage', frames: ['text'], dark: false },
] as const;

const stopPostgres = await startRunPostgres();
const server = await startE2eServer({ DEMO_LIFE: 'on' });
const base = server.url;
const browser = await chromium.launch(browserOptions());

/** The button that floats over the page, and a made-up person's figures, which the page around a picture would seem to contradict. */
const leftOut = 'a[aria-label=Help].fixed, main dl.divide-x{display:none}';

/** Waits until everything has arrived, and hides the caret and the scrollbar. */
const settle = async (page: Page) => {
  await page.waitForLoadState('networkidle');
  await page.addStyleTag({ content: `*{caret-color:transparent!important} html{scrollbar-width:none} ${leftOut}` });
  await page.evaluate(() => document.fonts.ready);
};

const sessionOf = async (name: string) => {
  const context = await browser.newContext({ baseURL: base });
  const data = { email: emailOf(name), password: demoPassword };
  const answer = await context.request.post('/api/login', { data, headers: { origin: base } });
  if (!answer.ok()) throw new Error(`${name}: ${answer.status()} ${await answer.text()}`);
  return context.storageState();
};

try {
  const sessions = { adviser: await sessionOf('adviser'), owner: await sessionOf('owner') };
  const encoder = await browser.newPage();

  for (const colorScheme of ['light', 'dark'] as const) {
    for (const shot of shots.filter(({ dark }) => dark || colorScheme === 'light')) {
      for (const name of shot.frames) {
        const { width, height, outputs } = frames[name];
        const page = await browser.newPage({
          baseURL: base,
          storageState: sessions[shot.who],
          colorScheme,
          viewport: { width, height },
          deviceScaleFactor: 2,
          locale: 'en-AU',
          timezoneId: 'Australia/Sydney',
          reducedMotion: 'reduce',
        });
        await page.goto(shot.path);
        await settle(page);
        // Again, with the typeface in the cache: one that arrives late is not drawn (font-display: optional).
        await page.reload();
        await settle(page);
        const png = await page.screenshot();
        await page.close();
        for (const output of outputs)
          write(
            shotsFolder,
            `${shot.name}-${colorScheme}-${output}.webp`,
            await webp(encoder, png, output, quality[name]),
          );
        if (shot.name === 'dashboard' && name === 'wide' && colorScheme === 'light')
          await drawSocialPicture(browser, publicFolder, png, base);
      }
    }
  }
  await drawIcons(browser, publicFolder);
  await drawOutputs(browser, path.join(shotsFolder, '../outputs'));
} finally {
  await browser.close();
  await server.stop();
  await stopPostgres();
}
