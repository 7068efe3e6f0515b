/** One built file, as Vite's manifest describes it. */
type Part = { file: string; imports?: string[] };
export type Manifest = Record<string, Part>;

/** What every page of somebody signed in starts with. */
const always = ['src/app/signed-in-shell.tsx', '../shared/api/members.ts'];

const pages: readonly (readonly [path: RegExp, source: string])[] = [
  [/^\/(dashboard)?$/, 'src/app/home-page.tsx'],
  [/^\/profile$/, 'src/features/accounts/profile-page.tsx'],
  [/^\/subscribe\/[^/]+$/, 'src/features/subscriptions/subscribe/subscribe-page.tsx'],
  [/^\/teams$/, 'src/app/teams-page.tsx'],
  [/^\/admin$/, 'src/features/admin/admin-page.tsx'],
  [/^\/developers$/, 'src/features/developers/developers-page.tsx'],
  [/^\/invoices$/, 'src/features/billing/invoices-page.tsx'],
];

/** What a tab needs besides its page's own code. */
const parts: Record<string, string> = {
  '/?billing': 'src/features/billing/billing-cards.tsx',
  '/dashboard?billing': 'src/features/billing/billing-cards.tsx',
  '/profile?security': 'src/features/accounts/security-tab.tsx',
};

/** The files of a page's code, so that the browser fetches them together with the app's first script instead of after it. */
export function codeOf(manifest: Manifest, path: string, tab: unknown): string[] {
  const sources = pages.filter(([pattern]) => pattern.test(path)).map(([, source]) => source);
  if (sources.length === 0) return [];
  const part = parts[`${path}?${String(tab)}`];
  if (part) sources.push(part);
  const found = new Set<string>();
  const add = (name: string) => {
    const part = manifest[name];
    if (!part || found.has(part.file)) return;
    found.add(part.file);
    part.imports?.forEach(add);
  };
  [...always, ...sources].forEach(add);
  return [...found].map((file) => `/${file}`);
}
