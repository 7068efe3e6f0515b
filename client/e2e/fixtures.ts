import AxeBuilder from '@axe-core/playwright';
import { test as base, expect, type Page } from '@playwright/test';
import { startE2eServer } from '../../server/testing/child-server.ts';
import { password as strongPassword, profile, registration } from '../../server/testing/newcomer.ts';

type Mail = { to: string; subject: string; text: string; html: string; at: string };

type Fixtures = {
  /** Statuses whose "Failed to load resource" message a journey causes on purpose; 0 is no connection. */
  allowStatuses: (...statuses: number[]) => void;
  /** Gives a journey that mocks calls pages without the answers that the server puts into them. */
  bare: void;
  /** Fails the journey on a console message, a page error, or a request that leaves this machine. */
  quiet: void;
};

const answersCalls = (url: unknown) =>
  typeof url === 'string' ? url.includes('/api/') : url instanceof RegExp && /api\\\//.test(url.source);

const ours = /^(http:\/\/(localhost|127\.0\.0\.1)(:\d+)?(\/|$)|data:|blob:|about:)/;

/** How long a server may take to start: seconds on an idle machine, minutes where others use its cores. */
export const serverStartMs = 600_000;

/** Each worker has a product of its own, so that a journey can move the clock without moving another worker's. */
type WorkerFixtures = {
  product: { url: string };
  /** A file that changes what every journey meets (discounts, offers) names itself here to get a worker to itself. */
  apart: string;
};

export const test = base.extend<Fixtures, WorkerFixtures>({
  apart: ['', { scope: 'worker', option: true }],
  product: [
    async ({}, use) => {
      const server = await startE2eServer();
      await use(server);
      await server.stop();
    },
    { scope: 'worker', timeout: serverStartMs },
  ],
  baseURL: ({ product }, use) => use(product.url),
  extraHTTPHeaders: async ({}, use, info) => {
    // One address per journey, so that limits by address do not add up over the run.
    const digits = [...info.titlePath.join('/')].reduce(
      (sum, c) => (sum * 31 + c.charCodeAt(0)) % 16_000_000,
      7 + info.retry,
    );
    await use({ 'x-forwarded-for': `10.${(digits >> 16) & 255}.${(digits >> 8) & 255}.${digits & 255}` });
  },
  allowStatuses: async ({}, use) => {
    const allowed = new Set<number>();
    await use(Object.assign((...statuses: number[]) => statuses.forEach((status) => allowed.add(status)), { allowed }));
  },
  bare: [
    async ({ page }, use) => {
      const own = /<script type="application\/json" id="own-answers">.*?<\/script>/s;
      const route = page.route.bind(page);
      let stripped = false;
      page.route = async (url, ...rest) => {
        if (!stripped && answersCalls(url)) {
          stripped = true;
          await route(
            (at) => !/^\/(api|assets|dev|sandbox)\//.test(at.pathname),
            async (document) => {
              if (document.request().resourceType() !== 'document') return document.fallback();
              const response = await document.fetch({ maxRedirects: 0 });
              const body = (await response.text()).replace(own, '');
              return document.fulfill({ response, body });
            },
          );
        }
        return route(url, ...rest);
      };
      await use();
    },
    { auto: true },
  ],
  quiet: [
    async ({ context, allowStatuses }, use) => {
      const { allowed } = allowStatuses as unknown as { allowed: Set<number> };
      const faults: string[] = [];
      context.on('console', (message) => {
        const offline = message.text().includes('ERR_INTERNET_DISCONNECTED') && '0';
        const status = offline || /status of (\d{3})/.exec(message.text())?.[1];
        if (!status || !allowed.has(Number(status))) faults.push(`console ${message.type()}: ${message.text()}`);
      });
      context.on('weberror', (error) => faults.push(`page error: ${error.error().message}`));
      context.on('request', (request) => {
        if (!ours.test(request.url())) faults.push(`request to outside: ${request.url()}`);
      });
      await use();
      const seen = [...faults];
      // A call on its way through a route would fail the journey that has just ended.
      await Promise.all(context.pages().map((page) => page.unrouteAll({ behavior: 'ignoreErrors' })));
      expect(seen).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect, strongPassword };

/** The newest mail to an address whose subject matches, once it is there. */
export async function mailTo(page: Page, to: string, subject: RegExp): Promise<Mail> {
  let found: Mail | undefined;
  await expect
    .poll(async () => {
      const mails = (await (await page.request.get(`/dev/mailbox.json?to=${encodeURIComponent(to)}`)).json()) as Mail[];
      found = mails.find((mail) => subject.test(mail.subject));
      return found !== undefined;
    })
    .toBe(true);
  return found!;
}

/** The first link of a mail that leads to a path, relative to the product. */
export function linkIn(mail: Mail, path: string): string {
  const link = [...mail.text.matchAll(/https?:\/\/\S+/g)]
    .map(([url]) => new URL(url))
    .find((url) => url.pathname === path);
  if (!link) throw new Error(`no link to ${path} in "${mail.subject}"`);
  return link.pathname + link.search;
}

/** Adds up layout shifts, as Core Web Vitals do, on the pages opened from now on. */
export const watchShift = (page: Page) =>
  page.addInitScript(() => {
    Object.assign(globalThis, { shift: 0 });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[])
        (globalThis as unknown as { shift: number }).shift += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
export const shiftOf = (page: Page) => page.evaluate(() => (globalThis as unknown as { shift: number }).shift);

/** axe finds nothing, in either theme. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    await page.evaluate(async (name) => {
      document.documentElement.classList.remove('light', 'dark');
      document.documentElement.classList.add(name);
      // A dialog that is still fading in has colours somewhere in between.
      const fading = document
        .getAnimations()
        .filter(({ effect }) => effect && effect.getComputedTiming().endTime !== Infinity);
      await Promise.allSettled(fading.map(({ finished }) => finished));
    }, theme);
    // Leaving out what passes, and running in the page itself rather than another one, takes a third of the time.
    const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode();
    // Only the colours differ between the themes.
    const { violations } = await (theme === 'light' ? axe : axe.withRules('color-contrast')).analyze();
    expect(
      violations.map((v) => `${theme}: ${v.id} ${v.nodes.map((node) => node.target.join(' ')).join(', ')}`),
    ).toEqual([]);
  }
}

export const originOf = (page: Page) => new URL(page.url()).origin;

/** A call as the page makes it; returns the server's answer. */
export const post = async (page: Page, path: string, data: unknown) => {
  const send = () => page.request.post(path, { data, headers: { origin: originOf(page) } });
  let answer = await send();
  // A loaded machine may answer "busy"; all that journeys ask for can safely be asked again.
  for (let again = 0; answer.status() === 503 && again < 3; again += 1) answer = await send();
  expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true);
  return (await answer.json()) as Record<string, unknown>;
};

/** A page of somebody else, in a browser of their own. */
export const anotherBrowser = async (page: Page) =>
  (await page.context().browser()!.newContext({ reducedMotion: 'reduce' })).newPage();

/** The password of everybody in the demo data. */
export const demoPassword = 'Demo-Adviser-2026';

/** Signs somebody from the demo data in to this page, and leaves it on /privacy. */
export async function signedInDemo(page: Page, name: 'admin' | 'admin2' | 'adviser' | 'owner' | 'unverified') {
  await page.goto('/privacy');
  await post(page, '/api/login', { email: `${name}@demo.adviserly.example`, password: demoPassword });
}

/** The date so many days after business time, which other journeys move, as a date field takes it. */
export async function businessDay(page: Page, days: number) {
  const now = Date.parse((await page.request.get('/api/tools')).headers()['business-date']!);
  return new Date(now + days * 24 * 3600_000).toISOString().slice(0, 10);
}

let serial = 0;
/** An address nobody has used in this run. */
export const newAddress = (name: string) => `${name}-${Date.now().toString(36)}-${(serial += 1)}@practice.example`;

/** A registered, verified adviser with a complete profile, made through the real calls and signed in to this page. */
export async function signedInAdviser(
  page: Page,
  { firstName = 'Alex', email = newAddress('adviser') } = {},
): Promise<{ email: string; password: string }> {
  await page.goto('/privacy');
  await post(page, '/api/register', registration(email, firstName));
  const mail = await mailTo(page, email, /verify|confirm/i);
  await post(page, '/api/verify-email', {
    token: new URLSearchParams(linkIn(mail, '/verify-email').split('?')[1]).get('token'),
  });
  await post(page, '/api/user/complete-profile', profile);
  return { email, password: strongPassword };
}
