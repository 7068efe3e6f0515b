import fs from 'node:fs';
import path from 'node:path';
import { eq } from 'drizzle-orm';
import express from 'express';
import request from 'supertest';
import { createServer, type ViteDevServer } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tools } from '#shared/schema/tools.ts';
import { brand, seller } from '#shared/brand.ts';
import { claimIds } from '#shared/rules/claims.ts';
import { createDocuments, type RenderPage } from '#server/platform/pages/page-documents.ts';
import { landingHead, pageHeads } from '#server/platform/pages/page-head.ts';
import type { Context } from '#server/platform/context.ts';
import { parseEnv } from '#server/platform/env.ts';
import { siteFiles } from '#server/platform/pages/site-files.ts';
import { startTestApp, type TestApp } from '#server/testing/test-app.ts';
import { resolveRoute } from '#client/app/resolve-route.ts';
import { pageData } from './pages.ts';

const root = path.resolve(import.meta.dirname, '../..');
const appUrl = 'https://adviserly.example';
const production = {
  NODE_ENV: 'production',
  DATABASE: 'embedded',
  SESSION_SECRET: 'kX9v-2mQz7_LrT4wYb8NcJ1sHd6FgPe3',
  PAYMENTS: 'sandbox',
};
let app: TestApp;
let vite: ViteDevServer;
let render: RenderPage;
let pages: express.Express;
let broken = false;

beforeAll(async () => {
  app = await startTestApp();
  vite = await createServer({
    configFile: path.join(root, 'vite.config.ts'),
    appType: 'custom',
    logLevel: 'error',
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  });
  ({ render } = (await vite.ssrLoadModule('/src/app/prerender.tsx')) as { render: RenderPage });
  pages = pagesOf(app.context);
});

const pagesOf = (context: Context, keepsDemo = false) => {
  const answer = createDocuments({
    template: fs.readFileSync(path.join(root, 'client/index.html'), 'utf8'),
    env: { ...context.env, appUrl, keepsDemo },
    render,
    data: (toolId) => (broken ? Promise.reject(new Error('no database')) : pageData(context, toolId)),
    log: context.log,
  });
  return express()
    .use(siteFiles(appUrl))
    .get('/{*path}', (req, res) => answer(req, res, (req.headers.cookie ?? '').includes('sid=')));
};
afterAll(async () => {
  await vite.close();
  await app.stop();
});

const page = async (address: string, cookie = '') => {
  const { text } = await request(pages).get(address).set('cookie', cookie).expect(200);
  return text;
};
const setTool = (id: string, values: Partial<typeof tools.$inferInsert>) =>
  app.context.db.update(tools).set(values).where(eq(tools.id, id));

describe('landing page, rendered', () => {
  it('holds the headline and the prices of the database', async () => {
    const html = await page('/');
    expect(html).toContain('Less paperwork. More advice.');
    expect(html).toContain('$25–$50</span> per tool per month');
    expect(html).toContain('Start 30-Day Free Trial');
    expect(html).toContain('Free with any other subscription');
  });

  it('shows a changed price with the next request', async () => {
    await setTool('fact-find-ai', { basePrice: '61.50' });
    expect(await page('/')).toContain('$25–$61.50</span> per tool per month');
    await setTool('fact-find-ai', { basePrice: '50.00' });
    expect(await page('/')).toContain('$25–$50</span> per tool per month');
  });

  it('runs no script of its own, whatever a tool is called', async () => {
    await setTool('file-note-ai', { name: '</script><script>alert(1)</script>' });
    const html = await page('/');
    await setTool('file-note-ai', { name: 'File Note AI' });
    expect(html).not.toContain('<script>alert(1)');
    const inline = [...html.matchAll(/<script\b([^>]*)>/g)].filter(([, attributes]) => !attributes?.includes(' src='));
    for (const [, attributes] of inline) expect(attributes).toMatch(/type="application\/(ld\+)?json"/);
  });

  it('is one page at every path without a page of its own, with one address', async () => {
    for (const address of ['/', '/dashboard', '/no/such/page', '/subscribe/file-note-ai']) {
      const html = await page(address);
      expect(html).toContain('Less paperwork. More advice.');
      expect(html).toContain(`<link rel="canonical" href="${appUrl}/" />`);
    }
  });

  it('has a page for each tool on offer, with its price, what it does and what it gets to know', async () => {
    const html = await page('/tools/fact-find-ai');
    expect(html).toContain('<title>Fact Find AI · Adviserly</title>');
    expect(html).toContain(`<link rel="canonical" href="${appUrl}/tools/fact-find-ai" />`);
    for (const words of ['$50.00 per month', 'Chases missing answers', 'What the tool receives about you', 'Your name'])
      expect(html).toContain(words);
    expect(html).toContain('/auth?tab=sign-up&amp;returnTo=%2Fsubscribe%2Ffact-find-ai');
    expect(await page('/tools/advice-writer-ai')).toContain('Coming Soon');
    await setTool('fact-find-ai', { closedAt: app.context.now() });
    for (const address of ['/tools/fact-find-ai', '/tools/no-such-tool'])
      expect(await page(address)).not.toContain('What the tool receives about you');
    await setTool('fact-find-ai', { closedAt: null });
  });

  it('says so where demo accounts are kept, and so does every other page', async () => {
    const demonstration = pagesOf(app.context, true);
    const sentence = 'The passwords of its accounts are published';
    for (const address of ['/', '/help', '/profile']) {
      const { text } = await request(demonstration).get(address).expect(200);
      expect(text).toContain(sentence);
      expect(await page(address)).not.toContain(sentence);
    }
    const signedIn = await request(demonstration).get('/').set('cookie', 'sid=something').expect(200);
    expect(signedIn.text).toContain(sentence);
  });

  it.each([
    ['/help', 'How does the free trial work?'],
    ['/privacy', 'Office of the Australian Information Commissioner'],
    ['/record/verify', 'whether anyone changed the files'],
    ['/security', 'Report a vulnerability'],
    ['/terms', 'Cancelling and refunds'],
  ])('%s is rendered too', async (address, text) => {
    expect(await page(address)).toContain(text);
    expect(await page(address, 'sid=something')).toContain('<div id="root"></div>');
  });

  it('the browser, not the server, draws what the address asks of the help page', async () => {
    for (const asked of ['?tab=support', '?q=trial'])
      expect(await page(`/help${asked}`)).toContain('<div id="root"></div>');
  });

  it('is never sent to a browser with a session', async () => {
    const html = await page('/', 'sid=something');
    expect(html).toContain('<div id="root"></div>');
    expect(html).not.toContain('Less paperwork. More advice.</h1>');
  });

  it('leaves the rendering to the browser while the database is away, and comes back', async () => {
    broken = true;
    expect(await page('/')).toContain('<div id="root"></div>');
    broken = false;
    expect(await page('/')).toContain('Less paperwork. More advice.');
  });

  it('is asked for again and sent only when it changed', async () => {
    const first = await request(pages).get('/').expect(200);
    expect(first.headers['cache-control']).toBe('no-cache');
    expect(first.headers['vary']).toBe('Accept-Encoding, Cookie');
    await request(pages).get('/').set('if-none-match', first.headers['etag']!).expect(304);
    await request(pages).get('/').set('if-none-match', first.headers['etag']!).set('cookie', 'sid=x').expect(200);
  });
});

describe('the claims of the landing page', () => {
  const landingWith = async (variables: Record<string, string>) => {
    const env = parseEnv(variables);
    const { text } = await request(pagesOf({ ...app.context, env }))
      .get('/')
      .expect(200);
    return text;
  };
  const badge = (text: string, about: string) => new RegExp(`<a [^>]*href="/security#${about}"[^>]*>${text}</a>`);

  it('are those of the specification in development, and each leads to what is done', async () => {
    const html = await landingWith({});
    expect(html).toMatch(badge('SOC 2 Type II', 'controls'));
    expect(html).toMatch(badge('GDPR Compliant', 'rights'));
    expect(html).toMatch(badge('Saves 15\\+ hours per week', 'figures'));
    expect(html).toContain(`<meta name="claims" content="${claimIds.join(' ')}" />`);
  });

  it('name the seller that is configured, in every place', async () => {
    const html = await landingWith({
      ...production,
      SELLER_NAME: 'Harbour <Tools> Pty Ltd',
      SELLER_ABN: '51 824 753 556',
      SUPPORT_EMAIL: 'help@harbour.com.au',
    });
    expect(html).toContain('Harbour &lt;Tools&gt; Pty Ltd');
    expect(html).toContain('51 824 753 556');
    expect(html).toContain('mailto:help@harbour.com.au');
    expect(html).toMatch(/<meta name="seller" content="[^"]*help@harbour\.com\.au/);
    expect(html).not.toMatch(/Adviserly Pty Ltd|@adviserly\.example/);
  });

  it('are left out in production, unless the operator names them', async () => {
    const html = await landingWith(production);
    expect(html).not.toMatch(
      /SOC 2|ISO 27001|GDPR|Bank-Grade|Cloud Hosted|15\+ hours|name="claims"|Trust and security/,
    );
    expect(html).toContain('No Credit Card Required');
  });

  it('are those that the operator names in production', async () => {
    const html = await landingWith({ ...production, PUBLIC_CLAIMS: 'cloud,uptime' });
    expect(html).toMatch(badge('Cloud Hosted', 'hosting'));
    expect(html).not.toMatch(/SOC 2|ISO 27001|GDPR|Bank-Grade|15\+ hours/);
    expect(html).toContain('<meta name="claims" content="cloud uptime" />');
  });
});

describe('the head of a page', () => {
  it.each([
    ['/', `${brand.name} · ${brand.tagline}`],
    ['/auth', `Sign in · ${brand.name}`],
    ['/auth?tab=sign-up', `Create your account · ${brand.name}`],
    ['/auth/?tab[]=sign-up', `Sign in · ${brand.name}`],
    ['/help', `Help · ${brand.name}`],
    ['/privacy', `Privacy Policy · ${brand.name}`],
    ['/security', `Security · ${brand.name}`],
    ['/terms', `Terms of Service · ${brand.name}`],
  ])('has a title and one address of its own: %s', async (address, title) => {
    const html = await page(address);
    expect(html).toContain(`<title>${title}</title>`);
    expect(html).toMatch(/<meta name="description" content="[^"]{50,200}" \/>/);
    expect(html).toMatch(
      /<link rel="canonical" href="https:\/\/adviserly\.example\/(auth|help|privacy|security|terms)?" \/>/,
    );
    expect(html).toContain(`<meta property="og:image" content="${appUrl}/social.jpg" />`);
    expect(html).toContain('<meta name="twitter:card" content="summary_large_image" />');
  });

  it('keeps pages that need a link out of search engines, and their secrets out of itself', async () => {
    const html = await page('/reset-password?token=secret-of-a-mail');
    expect(html).toContain('<meta name="robots" content="noindex" />');
    expect(html).not.toContain('secret-of-a-mail');
  });

  it('is right for the pages that are always available', () => {
    for (const address of Object.keys(pageHeads))
      expect(resolveRoute('signed-out', address), address).toMatchObject({ show: 'page' });
  });
});

describe('the server, asked by a machine,', () => {
  it.each([
    ['/favicon.ico', '/icon-192.png'],
    ['/.well-known/change-password', '/profile?tab=security'],
  ])('leads %s to %s', async (asked, to) => {
    const { headers } = await request(pages).get(asked).expect(302);
    expect(headers['location']).toBe(to);
  });

  it('says in security.txt whom to tell of a fault, and the file is not stale', async () => {
    const { text } = await request(pages).get('/.well-known/security.txt').expect(200);
    expect(text).toContain(`Contact: mailto:${seller().supportEmail}`);
    expect(text).toContain(`Policy: ${appUrl}/security`);
    expect(Date.parse(/Expires: (.*)/.exec(text)?.[1] ?? '')).toBeGreaterThan(Date.now());
  });

  it('names the public address in robots.txt and sitemap.xml', async () => {
    const robots = await request(pages)
      .get('/robots.txt')
      .expect(200)
      .expect('content-type', /text\/plain/);
    expect(robots.text).toContain(`Sitemap: ${appUrl}/sitemap.xml`);
    const map = await request(pages)
      .get('/sitemap.xml')
      .expect(200)
      .expect('content-type', /application\/xml/);
    const addresses = [...map.text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address]) => address);
    expect(addresses).toEqual(
      [landingHead.path, '/auth', '/help', '/developers', '/privacy', '/security', '/terms', '/record/verify'].map(
        (at) => appUrl + at,
      ),
    );
  });

  it('names icons in the web manifest that exist', async () => {
    const { text } = await request(pages).get('/site.webmanifest').expect(200);
    const { name, icons } = JSON.parse(text) as { name: string; icons: { src: string }[] };
    expect(name).toBe(brand.name);
    for (const { src } of [...icons, { src: '/apple-touch-icon.png' }, { src: '/social.jpg' }])
      expect(fs.existsSync(path.join(root, 'client/public', src)), src).toBe(true);
  });
});

describe('what is said of people', () => {
  const textOf = async (path: string, variables: Record<string, string> = {}) => {
    const { text } = await request(pagesOf({ ...app.context, env: parseEnv(variables) }))
      .get(path)
      .expect(200);
    return text.slice(text.indexOf('<body')).replace(/<[^>]*>/g, ' ');
  };

  it.each(['/privacy', '/security', '/terms', '/help'])('%s tells of the record of AI use', async (path) => {
    const text = await textOf(path);
    for (const said of [
      /client reference/i,
      /your remarks/,
      /seven years/i,
      /the owner, the admins and the reviewers of (your|a) practice see|You, the owner, the admins and the reviewers of your practice and/i,
    ])
      expect(text).toMatch(said);
    expect(text).not.toMatch(/not about whom|not your clients|do not see your clients/i);
  });

  it('names the companies that the operator named, with their countries, and no other', async () => {
    const named = { ...production, PROVIDERS: 'payments: Stripe (Australia, United States)' };
    for (const path of ['/privacy', '/security']) {
      expect(await textOf(path, named)).toContain('Stripe (Australia, United States) handles payments');
      expect(await textOf(path, production)).not.toMatch(/handles payments|runs our servers|delivers our messages/);
    }
  });

  it('says which decisions programs make', async () => {
    expect(await textOf('/privacy')).toMatch(/A free trial is refused to somebody who had one/);
  });
});

describe('development’s files', () => {
  const fetched = (file: string) => request(vite.middlewares).get(`/@fs${path.join(root, file)}`);

  it.each(['client/src/main.tsx', 'shared/brand.ts'])('has %s for the page', async (file) => {
    await fetched(file).expect(200);
  });

  it.each(['package.json', 'server/index.ts', '.env.example', 'tsconfig.json'])('keeps %s to itself', async (file) => {
    await fetched(file).expect(403);
    await fetched(`${file}?raw`).expect(403);
  });
});
