import fs from 'node:fs/promises';
import path from 'node:path';
import { Router } from 'express';
import { Marked } from 'marked';
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

/** As GitHub names them, so that the README's own links work. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\d\s-]/gu, '')
    .trim()
    .replaceAll(/\s+/g, '-');

const withAnchors = new Marked({
  renderer: {
    heading({ tokens, depth, text }) {
      return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
  },
});

/** Links to every chapter. */
const contents = (text: string) =>
  [...text.matchAll(/^## (.+)$/gm)]
    .map(([, heading = '']) => `- [${heading}](/api/docs/guide#${anchorOf(heading)})`)
    .join('\n');

const snippetLink = /^- \[.*\]\(\.\.\/dev\/sample-tool\/(snippets\/\w+\.(\w+))\)$/gm;

/** The snippets stand where the README links to them, so that what is shown is what is tested. */
async function withSnippets(text: string): Promise<string> {
  const files = [...text.matchAll(snippetLink)].map(([, file = '']) => file);
  const codes = await Promise.all(files.map((file) => fs.readFile(path.join(samples, file), 'utf8')));
  const codeOf = new Map(files.map((file, index) => [file, codes[index]!]));
  return text.replaceAll(
    snippetLink,
    (_link, file: string, language: string) =>
      `\n**${path.basename(file)}**\n\n\`\`\`${language}\n${codeOf.get(file)}\`\`\`\n`,
  );
}

/** The README's part for tool makers, as a page. They don't have the repository: our side is left out, links to samples lead to this server. */
async function render(origin: string): Promise<string> {
  const text = await fs.readFile(guide, 'utf8');
  const forMakers = (await withSnippets(text.slice(0, text.indexOf('\n## Our side'))))
    .replaceAll('https://adviserly.example', origin)
    .replaceAll('(../dev/sample-tool/', '(/api/docs/samples/')
    .replaceAll(/(?<!\[)`(\/developers|\/api\/docs)`/g, '[`$1`]($1)');
  const chaptered = forMakers.replace('\n## ', () => `\n${contents(forMakers)}\n\n## `);
  // So that tables and code that scroll can be reached by keyboard.
  const body = (await withAnchors.parse(chaptered)).replace(/<(pre|table)>/g, '<$1 tabindex="0">');
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

const builtCheck = path.join(root, 'dist/tool-check.mjs');

/** `/api/docs/guide`, the samples that it names, and what OAuth libraries read of us. */
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
  // RFC 8414. We have no other endpoint of an authorization server.
  router.get('/.well-known/oauth-authorization-server', (_req, res) => {
    res.set('cache-control', 'public, max-age=3600').json({
      issuer: appUrl,
      introspection_endpoint: new URL('/api/tools/introspect', appUrl).href,
      introspection_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      response_types_supported: [],
      grant_types_supported: [],
      service_documentation: new URL('/api/docs/guide', appUrl).href,
    });
  });
  // The check in one file. Before the first build, development makes it.
  router.get('/api/docs/tool-check.mjs', async (_req, res) => {
    const file = await fs.readFile(builtCheck, 'utf8').catch(() => null);
    if (file === null) res.redirect('/dev/tool-check.mjs');
    else res.type('text/plain; charset=utf-8').send(file);
  });
  router.get('/api/docs/guide.css', (_req, res) => void res.type('css').send(style));
  for (const file of sampleFiles)
    router.get(`/api/docs/samples/${file}`, async (_req, res) => {
      res.type('text/plain; charset=utf-8').send(await fs.readFile(path.join(samples, file), 'utf8'));
    });
  return router;
}
