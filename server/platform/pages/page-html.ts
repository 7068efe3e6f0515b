import type { PageData } from '#shared/api/page-data.ts';
import { brand, type Seller } from '#shared/brand.ts';
import { type Provider, writeProviders } from '#shared/rules/people/providers.ts';
import { centsOf } from '#shared/rules/billing/money.ts';
import type { IdentityProvider } from '#shared/rules/people/identities.ts';
import type { Env } from '../env.ts';
import type { Head } from './page-head.ts';

/** The picture shown with a shared link; made by `npm run screenshots`. */
const picture = { path: '/social.jpg', width: 1200, height: 630, alt: `${brand.name}: ${brand.description}` };

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => entities[character]!);
const meta = (kind: 'name' | 'property', key: string, content: string | number) =>
  `<meta ${kind}="${key}" content="${escaped(String(content))}" />`;

/** JSON in a script element that doesn't run; the JSON can't close the element. */
const dataBlock = (type: string, id: string, value: unknown) =>
  `<script type="${type}" id="${id}">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`;

/** The seller, the product and its prices, for search engines (schema.org). */
function structuredData(appUrl: string, { tools, seller }: PageData) {
  const prices = tools.filter((tool) => !tool.comingSoon).map((tool) => centsOf(tool.basePrice));
  const paid = prices.filter((cents) => cents > 0);
  const organization = { '@type': 'Organization', name: seller.name, url: appUrl, email: seller.supportEmail };
  return {
    '@context': 'https://schema.org',
    '@type': 'SoftwareApplication',
    name: brand.name,
    description: brand.description,
    url: appUrl,
    applicationCategory: 'BusinessApplication',
    operatingSystem: 'Web',
    publisher: organization,
    ...(paid.length > 0 && {
      offers: {
        '@type': 'AggregateOffer',
        priceCurrency: 'AUD',
        lowPrice: (Math.min(...paid) / 100).toFixed(2),
        highPrice: (Math.max(...paid) / 100).toFixed(2),
        offerCount: paid.length,
        seller: organization,
      },
    }),
  };
}

function headHtml({ appUrl, seller, claims, providers, signInWith, head }: Parts): string {
  const { title, description, path, index } = head;
  const address = new URL(path, appUrl).href;
  return [
    `<title>${escaped(title)}</title>`,
    meta('name', 'description', description),
    ...(claims.length > 0 ? [meta('name', 'claims', claims.join(' '))] : []),
    meta('name', 'seller', JSON.stringify(seller)),
    ...(providers.length > 0 ? [meta('name', 'providers', writeProviders(providers))] : []),
    ...(signInWith.length > 0 ? [meta('name', 'sign-in-with', signInWith.join(' '))] : []),
    ...(index ? [`<link rel="canonical" href="${escaped(address)}" />`] : [meta('name', 'robots', 'noindex')]),
    meta('property', 'og:type', 'website'),
    meta('property', 'og:site_name', brand.name),
    meta('property', 'og:locale', 'en_AU'),
    meta('property', 'og:title', title),
    meta('property', 'og:description', description),
    meta('property', 'og:url', address),
    meta('property', 'og:image', new URL(picture.path, appUrl).href),
    meta('property', 'og:image:width', picture.width),
    meta('property', 'og:image:height', picture.height),
    meta('property', 'og:image:alt', picture.alt),
    meta('name', 'twitter:card', 'summary_large_image'),
    meta('name', 'twitter:title', title),
    meta('name', 'twitter:description', description),
    meta('name', 'twitter:image', new URL(picture.path, appUrl).href),
    meta('name', 'twitter:image:alt', picture.alt),
  ].join('\n    ');
}

/** The answers to the page's calls, and the business time they are of. */
export type OwnAnswers = { at: string; answers: Record<string, unknown> };

type Parts = {
  appUrl: string;
  keepsDemo: boolean;
  seller: Seller;
  /** What the seller says about itself, for the scripts of every page. */
  claims: Env['claims'];
  /** Who works for the seller. */
  providers: readonly Provider[];
  /** Who else signs people in. */
  signInWith: readonly IdentityProvider[];
  head: Head;
  /** The rendered page; without it the browser renders it. */
  body?: string;
  /** The data of the rendered page, for the script that takes it over. */
  data?: PageData;
  /** For whoever is signed in. */
  own?: OwnAnswers | null;
  /** What is shown until the browser has rendered the page. */
  frame?: string;
  /** Files of the page's code, to be fetched at once. */
  code?: readonly string[];
};

/** Above every page of an installation with the demo's accounts. */
const demoNotice =
  '<aside aria-label="Demonstration" class="screen-only border-b bg-warning-subtle px-4 py-2 text-center text-sm">This is a demonstration. The passwords of its accounts are published, so please keep nothing real here.</aside>';

/** Fills the four marks in client/index.html. */
export function fillTemplate(template: string, given: Parts): string {
  const { appUrl, keepsDemo, body = '', data, own, frame = '', code = [] } = given;
  const parts: Record<string, string> = {
    head: headHtml(given),
    notice: keepsDemo ? demoNotice : '',
    page: body || frame,
    data: data
      ? dataBlock('application/json', 'page-data', data) +
        dataBlock('application/ld+json', 'structured-data', structuredData(appUrl, data))
      : own
        ? dataBlock('application/json', 'own-answers', own)
        : '',
  };
  const filled = template.replace(/<!--(head|notice|page|data)-->/g, (_mark, name: string) => parts[name]!);
  // Goes after what the first paint waits for.
  const preloads = code
    .filter((name) => !filled.includes(name))
    .map((name) => `<link rel="modulepreload" href="${name}" />`);
  if (body) return deferScripts(filled);
  // Preloading the typeface would hold up the code, without which there is nothing to read: main.tsx asks for it.
  return filled
    .replace(/\s*<link rel="preload" as="font"[^>]*>/, '')
    .replace('</head>', () => `${preloads.join('')}</head>`);
}

const scripts = /\s*(<script type="module"[^>]*><\/script>|<link rel="modulepreload"[^>]*>)/g;

/** Moves the app's scripts into a template, from which client/public/take-over.js starts them once the page is painted. */
function deferScripts(html: string): string {
  const deferred = [...html.matchAll(scripts)].map(([, tag]) => tag).join('');
  return html
    .replace(scripts, '')
    .replace(
      '</head>',
      () =>
        `  <template id="take-over">${deferred}</template>\n    <script src="/take-over.js" defer></script>\n  </head>`,
    );
}
