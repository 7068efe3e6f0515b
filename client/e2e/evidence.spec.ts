import fs from 'node:fs';
import type { Page } from '@playwright/test';
import { expect, expectAccessible, signedInAdviser, test } from './fixtures.ts';

test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }));

const download = async (page: Page, name: RegExp) => {
  const coming = page.waitForEvent('download');
  await page.getByRole('link', { name }).click();
  const file = await coming;
  return { name: file.suggestedFilename(), buffer: fs.readFileSync(await file.path()) };
};
