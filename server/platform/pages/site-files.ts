import { Router } from 'express';
import { brand, seller } from '#shared/brand.ts';
import { day, plus } from '#shared/rules/dates.ts';
import { realNow } from '../clock.ts';
import { pageHeads, landingHead } from './page-head.ts';

const hour = 'public, max-age=3600';

/** robots.txt, sitemap.xml, the web manifest and other files that browsers and robots ask for by name, with this installation's address and brand. */
export function siteFiles(appUrl: string): Router {
  const router = Router();
  const pages = [landingHead, ...Object.values(pageHeads)].filter((head) => head.index);
  const addresses = pages.map(({ path }) => `  <url><loc>${new URL(path, appUrl).href}</loc></url>`);
  router.get('/robots.txt', (_req, res) => {
    const lines = ['User-agent: *', 'Allow: /api/docs', 'Disallow: /api/', '', `Sitemap: ${appUrl}/sitemap.xml`, ''];
    res.type('text/plain').set('cache-control', hour).send(lines.join('\n'));
  });
  router.get('/sitemap.xml', (_req, res) => {
    const lines = [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
      ...addresses,
      '</urlset>',
      '',
    ];
    res.type('application/xml').set('cache-control', hour).send(lines.join('\n'));
  });
  router.get('/favicon.ico', (_req, res) => res.set('cache-control', hour).redirect('/icon-192.png'));
  router.get('/.well-known/change-password', (_req, res) => res.redirect('/profile?tab=security'));
  router.get('/.well-known/security.txt', (_req, res) => {
    // Whoever reads it later than this has to fetch it again.
    const expires = plus(realNow(), 30 * day).toISOString();
    const lines = [
      `Contact: mailto:${seller().supportEmail}`,
      `Expires: ${expires}`,
      'Preferred-Languages: en',
      `Policy: ${appUrl}/security#report`,
      `Canonical: ${appUrl}/.well-known/security.txt`,
      '',
    ];
    res.type('text/plain').set('cache-control', hour).send(lines.join('\n'));
  });
  router.get('/site.webmanifest', (_req, res) => {
    const icon = (size: number) => ({ src: `/icon-${size}.png`, sizes: `${size}x${size}`, type: 'image/png' });
    res
      .type('application/manifest+json')
      .set('cache-control', hour)
      .send(
        JSON.stringify({
          name: brand.name,
          short_name: brand.name,
          description: brand.description,
          lang: 'en-AU',
          start_url: '/',
          display: 'minimal-ui',
          background_color: '#f7f8f9',
          theme_color: '#0b6663',
          icons: [{ src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml' }, icon(192), icon(512)],
        }),
      );
  });
  return router;
}
