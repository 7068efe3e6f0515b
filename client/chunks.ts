import path from 'node:path';

type ModuleInfo = { code: string | null; importedIds: readonly string[] } | null;
type Context = { getModuleInfo: (id: string) => ModuleInfo };

const source = (file: string) => path.resolve(import.meta.dirname, 'src', file);
const shared = (file: string) => path.resolve(import.meta.dirname, '../shared', file);
const contract = shared('api/members.ts');
/** What administrators and makers of tools ask besides. */
const operators = shared('api/index.ts');
/** What /auth asks. */
const accounts = shared('api/accounts.ts');
const main = source('main.tsx');
const landing = source('features/site/landing-page.tsx');
const tabs = source('ui/tabs.tsx');
const auth = source('features/accounts/auth-page.tsx');
const visitors = [
  auth,
  source('ui/toast.tsx'),
  source('features/evidence/verify-page.tsx'),
  ...['help', 'makers', 'privacy', 'security', 'terms', 'tool'].map((page) => source(`features/site/${page}-page.tsx`)),
];
const shell = source('app/signed-in-shell.tsx');
const home = source('app/home-page.tsx');
const checkout = source('features/subscriptions/subscribe/subscribe-page.tsx');
const members = [
  shell,
  checkout,
  source('app/teams-page.tsx'),
  ...['accounts/profile-page.tsx', 'billing/invoices-page.tsx', 'admin/admin-page.tsx'].map((file) =>
    source(`features/${file}`),
  ),
];

/** What only members' calls need of the library, though whoever imports a part of it would seem to need all. */
const membersCalls = /@tanstack\/.*\/(useQueries|queriesObserver|useMutation|mutationObserver)\.js$/;

/** The file that names every icon: whoever imports one would seem to need all. */
const allIcons = /lucide-react\/dist\/esm\/lucide-react\.m?js$/;

/** One of its icons. */
const icon = /lucide-react\/dist\/esm\/icons\//;

/** The icons that a module names, as the files they stand in. */
function iconsOf(code: string, all: string, list: string): string[] {
  const named = [...code.matchAll(/import\s*{([^}]*)}\s*from\s*["']lucide-react["']/g)]
    .flatMap(([, names]) => names!.split(','))
    .map((name) => name.trim().split(' as ')[0]!);
  const lines = list.split('\n');
  return named.flatMap((name) => {
    const file = name && lines.find((line) => new RegExp(`\\bas ${name}\\b`).test(line))?.match(/'\.\/(.+)'/)?.[1];
    return file ? [path.join(path.dirname(all), file)] : [];
  });
}

function importsOf(id: string, context: Context): string[] {
  const info = context.getModuleInfo(id);
  if (!info) return [];
  return info.importedIds.flatMap((each) =>
    allIcons.test(each) ? iconsOf(info.code ?? '', each, context.getModuleInfo(each)?.code ?? '') : [each],
  );
}

/** Everything that these files import, and what that imports. */
const reach = (roots: readonly string[], context: Context): Set<string> => {
  const found = new Set<string>();
  const add = (id: string) => {
    if (found.has(id)) return;
    found.add(id);
    importsOf(id, context).forEach(add);
  };
  roots.forEach(add);
  return found;
};

const createChunks = (context: Context) => {
  const of = (...roots: string[]) => reach(roots, context);
  const base = of(main);
  const landed = of(landing);
  const asked = of(accounts);
  const visited = of(...visitors);
  const entered = of(auth);
  const agreed = of(contract);
  const operated = of(operators);
  const called = of(source('lib/calls/use-api.ts'));
  const tabbed = of(tabs);
  const bought = of(checkout);
  const framed = of(shell);
  const held = of(shell, home);
  const others = members.map((page) => of(page));
  return (id: string): string | null => {
    if (membersCalls.test(id)) return 'member';
    if (base.has(id)) return 'base';
    // What is loaded by name stays a file of its own, which the server finds in the manifest.
    if (id === shell || id === home || id === contract) return null;
    const visitorsFile = entered.has(id) ? 'common' : 'pages';
    if (agreed.has(id) && !landed.has(id)) {
      if (visited.has(id)) return visitorsFile;
      return asked.has(id) ? 'accounts' : 'contract';
    }
    if (operated.has(id) && !agreed.has(id) && !visited.has(id)) return called.has(id) ? 'member' : 'operators';
    if (landed.has(id)) {
      if (entered.has(id)) return 'light';
      return [held, visited, agreed].some((page) => page.has(id)) ? 'offers' : null;
    }
    if (called.has(id) && !visited.has(id)) return 'member';
    if (tabbed.has(id) && !bought.has(id)) return 'tabs';
    const pages = [held, visited, ...others].filter((page) => page.has(id)).length;
    if (!held.has(id) && !(icon.test(id) && pages > 1)) return null;
    if (visited.has(id)) return visitorsFile;
    if (bought.has(id) || framed.has(id)) return 'member';
    return others.some((page) => page.has(id)) ? 'panel' : 'home';
  };
};

let chunkOf: ReturnType<typeof createChunks> | undefined;

/**
 * Which file a module is in; null leaves it to the bundler, which would make sixty files of what the dashboard needs: on a slow line each
 * costs more than it carries. Nobody gets more than before: what only members need is apart from what visitors get.
 */
export const chunkName = (id: string, context: Context) => (chunkOf ??= createChunks(context))(id);
