import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { brand } from '#shared/brand.ts';
import { catalogue } from '#shared/rules/tools/tools.ts';
import { outputOf } from '#server/dev/sample-tool/outputs.ts';
import { page as samplePage } from '#server/dev/sample-tool/pages.ts';

/** Scales a PNG to a width as WebP with the browser's own encoder: no native library for a dozen pictures. */
export async function webp(page: Page, png: Buffer, width: number, quality: number): Promise<Buffer> {
  const encoded = await page.evaluate(
    async ([source, target, q]) => {
      const bitmap = await createImageBitmap(await (await fetch(source)).blob());
      const height = Math.round((bitmap.height * target) / bitmap.width);
      const canvas = new OffscreenCanvas(target, height);
      const context = canvas.getContext('2d')!;
      context.imageSmoothingQuality = 'high';
      context.drawImage(bitmap, 0, 0, target, height);
      const bytes = new Uint8Array(
        await (await canvas.convertToBlob({ type: 'image/webp', quality: q })).arrayBuffer(),
      );
      let text = '';
      for (const byte of bytes) text += String.fromCharCode(byte);
      return btoa(text);
    },
    [`data:image/png;base64,${png.toString('base64')}`, width, quality] as const,
  );
  return Buffer.from(encoded, 'base64');
}

export const write = (folder: string, name: string, content: Buffer) => {
  fs.writeFileSync(path.join(folder, name), content);
  console.log(`${name}  ${(content.length / 1000).toFixed(1)} kB`);
};

/** The icons of the manifest and of phones' home screens, from favicon.svg. */
export async function drawIcons(browser: Browser, publicFolder: string): Promise<void> {
  const svg = fs.readFileSync(path.join(publicFolder, 'favicon.svg'), 'utf8');
  const icons = [
    { name: 'icon-192.png', size: 192, ground: 'transparent' },
    { name: 'icon-512.png', size: 512, ground: 'transparent' },
    // Phones round the corners themselves.
    { name: 'apple-touch-icon.png', size: 180, ground: '#0b6663' },
  ];
  for (const { name, size, ground } of icons) {
    const page = await browser.newPage({ viewport: { width: size, height: size } });
    await page.setContent(`<style>body{margin:0;background:${ground}}svg{display:block}</style>${svg}`);
    write(publicFolder, name, await page.screenshot({ omitBackground: true }));
    await page.close();
  }
}

/** The picture of a shared link: name, promise and product. */
export async function drawSocialPicture(browser: Browser, publicFolder: string, png: Buffer, base: string) {
  const page = await browser.newPage({ viewport: { width: 1200, height: 630 } });
  await page.goto(`${base}/privacy`); // for its typeface
  await page.evaluate(
    ([name, tagline, promise, picture]) => {
      const logo = '<img src="/favicon.svg" width="64" height="64" alt="">';
      const words =
        `<div style="display:flex;align-items:center;gap:20px">${logo}<div><div style="font-size:32px;line-height:40px;font-weight:600">${name}</div>` +
        `<div style="font-size:20px;line-height:28px;color:#56606b">${tagline}</div></div></div>` +
        `<div style="font-size:48px;line-height:56px;font-weight:600;letter-spacing:-.02em;margin-top:28px">${promise}</div>`;
      document.body.innerHTML =
        `<div style="box-sizing:border-box;width:1200px;height:630px;overflow:hidden;padding:56px 64px;background:#e2f1ef;color:#14191f">${words}` +
        `<img src="${picture}" alt="" style="display:block;width:1072px;margin-top:40px;border-radius:12px;border:1px solid #cfd8d8;box-shadow:0 12px 40px rgb(16 24 32/.18)"></div>`;
    },
    [
      brand.name,
      brand.tagline,
      'Less paperwork. More advice.',
      `data:image/png;base64,${png.toString('base64')}`,
    ] as const,
  );
  await page.waitForFunction(() => [...document.images].every((image) => image.complete));
  write(publicFolder, 'social.jpg', await page.screenshot({ type: 'jpeg', quality: 86 }));
  await page.close();
}

/** What each sample tool hands over at the end of a session, as its own page draws it. On white, since it is a document. */
export async function drawOutputs(browser: Browser, folder: string): Promise<void> {
  const typeface = createRequire(import.meta.url).resolve(
    '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
  );
  const style = `@font-face{font-family:Inter;font-weight:100 900;src:url(data:font/woff2;base64,${fs.readFileSync(typeface, 'base64')})}
    article{margin:0!important;border:0!important;border-radius:0!important;box-sizing:border-box;height:396px;font-family:Inter}`;
  const encoder = await browser.newPage();
  const page = await browser.newPage({
    viewport: { width: 600, height: 900 },
    deviceScaleFactor: 2,
    colorScheme: 'light',
  });
  for (const { id } of catalogue) {
    const output = outputOf(id);
    if (!output) continue;
    await page.setContent(samplePage(id, output));
    await page.addStyleTag({ content: style });
    await page.evaluate(() => document.fonts.ready);
    write(folder, `${id}.webp`, await webp(encoder, await page.locator('article').screenshot(), 832, 0.5));
  }
  await page.close();
  await encoder.close();
}
