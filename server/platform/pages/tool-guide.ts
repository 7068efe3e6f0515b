import fs from 'node:fs/promises';
import path from 'node:path';
import { Router } from 'express';
import { marked } from 'marked';
import { brand } from '#shared/brand.ts';
import { root } from '../data/migrate.ts';

const guide = path.join(root, 'server/tools/README.md');
const samples = path.join(root, 'server/dev/sample-tool');
const sampleFiles = [
  'adviserly.ts',
  'handler.ts',
  'html.ts',
  'pages.ts',
  'tool.ts',
  'python/adviserly.py',
  'python/tool.py',
];

/** Nothing runs on this page. */
const policy = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'";

const style = `:root { color-scheme: light dark }
body { margin: 0 auto; max-width: 56rem; padding: 1.5rem 1rem 4rem; font: 1rem/1.6 system-ui, sans-serif }
h1, h2 { line-height: 1.25; margin-top: 2.5rem }
pre, code { font: .875rem/1.5 ui-monospace, monospace }
code { overflow-wrap: anywhere }
pre { overflow-x: auto; padding: .75rem 1rem; border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: .5rem }
pre code { overflow-wrap: normal }
table { display: block; overflow-x: auto; border-collapse: collapse }
th, td { padding: .4rem .75rem; border-bottom: 1px solid color-mix(in srgb, currentColor 25%, transparent); text-align: left; vertical-align: top }
`;

/** The README's part for tool makers, as a page. They don't have the repository: our side is left out, links to samples lead to this server. */
async function render(origin: string): Promise<string> {
  const text = await fs.readFile(guide, 'utf8');
  const forMakers = text
    .slice(0, text.indexOf('\n## Our side'))
    .replaceAll('https://adviserly.example', origin)
    .replaceAll('(../dev/sample-tool/', '(/api/docs/samples/');
  // So that tables and code that scroll can be reached by keyboard.
  const body = (await marked.parse(forMakers)).replace(/<(pre|table)>/g, '<$1 tabindex="0">');
  return `<!doctype html>
<html lang="en-AU">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Guide for tool makers · ${brand.name}</title>
<link rel="icon" href="/favicon.svg">
<link rel="stylesheet" href="/api/docs/guide.css">
</head>
<body>
<main>
${body}</main>
</body>
</html>
`;
}

/** `/api/docs/guide`, and the samples that it names. */
export function toolGuide(appUrl: string): Router {
  const router = Router();
  let page: Promise<string> | undefined;
  router.get('/api/docs/guide', async (_req, res) => {
    page ??= render(new URL(appUrl).origin);
    res
      .type('html')
      .set('content-security-policy', policy)
      .send(await page);
  });
  router.get('/api/docs/guide.css', (_req, res) => void res.type('css').send(style));
  for (const file of sampleFiles)
    router.get(`/api/docs/samples/${file}`, async (_req, res) => {
      res.type('text/plain; charset=utf-8').send(await fs.readFile(path.join(samples, file), 'utf8'));
    });
  return router;
}
