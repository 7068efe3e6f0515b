import path from 'node:path';

type ModuleInfo = { importedIds: readonly string[] } | null;
type Context = { getModuleInfo: (id: string) => ModuleInfo };

const source = (file: string) => path.resolve(import.meta.dirname, 'src', file);
const contract = path.resolve(import.meta.dirname, '../shared/api/index.ts');
const main = [source('main.tsx')];
const landing = [source('features/site/landing-page.tsx')];
const visitors = [
  'accounts/auth-page.tsx',
  'accounts/load-accounts.ts',
  'site/help-page.tsx',
  'site/privacy-page.tsx',
].map((file) => source(`features/${file}`));
const members = [source('app/signed-in-shell.tsx'), source('app/home-page.tsx')];

/** Everything that these files import, and what that imports. */
const reach = (roots: readonly string[], context: Context): Set<string> => {
  const found = new Set<string>();
  const add = (id: string) => {
    if (found.has(id)) return;
    found.add(id);
    context.getModuleInfo(id)?.importedIds.forEach(add);
  };
  roots.forEach(add);
  return found;
};

const createChunks = (context: Context) => {
  const [base, landed, visited, held, agreed] = [main, landing, visitors, members, [contract]].map((roots) =>
    reach(roots, context),
  ) as [Set<string>, Set<string>, Set<string>, Set<string>, Set<string>];
  return (id: string): string | null => {
    if (base.has(id)) return 'base';
    // What is loaded by name stays a file of its own, which the server finds in the manifest.
    if (members.includes(id) || id === contract) return null;
    if (landed.has(id)) return null;
    if (agreed.has(id)) return visited.has(id) ? null : 'contract';
    if (!held.has(id)) return null;
    return visited.has(id) ? 'common' : 'member';
  };
};

let chunkOf: ReturnType<typeof createChunks> | undefined;

/**
 * Which file a module is in; null leaves it to the bundler, which would make sixty files of what the dashboard needs: on a slow line each
 * costs more than it carries. Nobody gets more than before: what only members need is apart from what visitors get.
 */
export const chunkName = (id: string, context: Context) => (chunkOf ??= createChunks(context))(id);
