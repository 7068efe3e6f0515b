import { accountsApi } from '#shared/api/accounts.ts';
import type { AddressParts } from '#shared/api/address.ts';
import { analyticsApi } from '#shared/api/analytics.ts';
import { billingApi } from '#shared/api/billing.ts';
import { booksApi } from '#shared/api/books.ts';
import type { Endpoint } from '#shared/api/endpoint.ts';
import { notificationsApi } from '#shared/api/notifications.ts';
import { recordApi } from '#shared/api/record.ts';
import { remindersApi } from '#shared/api/reminders.ts';
import { subscriptionsApi } from '#shared/api/subscriptions.ts';
import { teamsApi } from '#shared/api/teams.ts';
import { toolsApi } from '#shared/api/tools.ts';

export type Call = readonly [endpoint: Endpoint, parts?: AddressParts];
/** What a page, or a tab of it, begins with. */
type FirstView = { code: string; calls?: readonly Call[] };
type Page = FirstView & { path: RegExp; callsAbout?: (subject: string) => Call[]; tabs?: Record<string, FirstView> };

const everyPage = {
  code: ['src/app/signed-in-shell.tsx', '../shared/api/members.ts'],
  calls: [[accountsApi.user], [notificationsApi.unreadCount]] satisfies Call[],
};
const firstPage = { query: { page: '1' } };
const money: Call[] = [
  [toolsApi.list],
  [subscriptionsApi.list],
  [subscriptionsApi.tiers],
  [teamsApi.my],
  [subscriptionsApi.winBackOffers],
  [recordApi.notAllowed],
  [billingApi.forecast],
];

/**
 * What each page of somebody signed in begins with: its code, by source file, and its calls. Their answers come with the page. A page that
 * begins with another call has it here; client/e2e/first-views.spec.ts fails where it is missing.
 */
const pages: readonly Page[] = [
  {
    path: /^\/(?:dashboard)?$/,
    code: 'src/app/home-page.tsx',
    calls: [...money, [toolsApi.myUsage], [analyticsApi.dashboard], [remindersApi.settings], [recordApi.unstated]],
    tabs: {
      billing: {
        code: 'src/app/billing-tab.tsx',
        calls: [
          [billingApi.paymentMethod],
          [billingApi.address],
          [booksApi.bookkeeper],
          [billingApi.told, firstPage],
          [billingApi.invoices, firstPage],
        ],
      },
    },
  },
  {
    path: /^\/profile$/,
    code: 'src/features/accounts/profile-page.tsx',
    tabs: { security: { code: 'src/features/accounts/security-tab.tsx' } },
  },
  {
    path: /^\/subscribe\/([\w-]+)$/,
    code: 'src/features/subscriptions/subscribe/subscribe-page.tsx',
    calls: [...money, [billingApi.paymentMethod]],
    callsAbout: (toolId) => [
      [toolsApi.texts, { params: { toolId } }],
      [recordApi.disclosure, { params: { toolId }, query: {} }],
      [subscriptionsApi.quote, { query: { toolId } }],
    ],
  },
  {
    path: /^\/open\/[\w-]+$/,
    code: 'src/features/tools/open-page.tsx',
    calls: [[toolsApi.list], [subscriptionsApi.list], [recordApi.recentClients]],
  },
  { path: /^\/teams$/, code: 'src/app/teams-page.tsx' },
  { path: /^\/admin$/, code: 'src/features/admin/admin-page.tsx' },
  { path: /^\/admin\/[a-z]+$/, code: 'src/features/admin/room-page.tsx' },
  { path: /^\/developers$/, code: 'src/features/developers/developers-page.tsx' },
  { path: /^\/invoices$/, code: 'src/features/billing/invoices-page.tsx' },
];

function viewAt(path: string, tab: unknown) {
  const page = pages.find((one) => one.path.test(path));
  const tabs = page?.tabs ?? {};
  return { page, views: page ? [page, ...(Object.hasOwn(tabs, String(tab)) ? [tabs[String(tab)]!] : [])] : [] };
}

export function callsOf(path: string, tab: unknown): Call[] {
  const { page, views } = viewAt(path, tab);
  const subject = page?.path.exec(path)?.[1];
  const about = subject === undefined ? [] : (page?.callsAbout?.(subject) ?? []);
  return [...everyPage.calls, ...views.flatMap(({ calls = [] }) => calls), ...about];
}

/** One built file, as Vite's manifest describes it. */
type Part = { file: string; imports?: string[] };
export type Manifest = Record<string, Part>;

/** The files of a page's code, so that the browser fetches them together with the app's first script instead of after it. */
export function codeOf(manifest: Manifest, path: string, tab: unknown): string[] {
  const { views } = viewAt(path, tab);
  if (views.length === 0) return [];
  const found = new Set<string>();
  const add = (name: string) => {
    const part = manifest[name];
    if (!part || found.has(part.file)) return;
    found.add(part.file);
    part.imports?.forEach(add);
  };
  [...everyPage.code, ...views.map(({ code }) => code)].forEach(add);
  return [...found].map((file) => `/${file}`);
}
