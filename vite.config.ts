import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import react from '@vitejs/plugin-react';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin } from 'vite';
import { chunkName } from './client/chunks.ts';

const at = (relative: string) => path.resolve(import.meta.dirname, relative);

/** Writes `.br` and `.gz` beside every text file once, so that no request pays for compression. */
const precompress: Plugin = {
  name: 'precompress',
  apply: (config, { command }) => command === 'build' && !config.build?.ssr,
  writeBundle({ dir }) {
    for (const name of fs.readdirSync(dir!, { recursive: true, encoding: 'utf8' })) {
      const file = path.join(dir!, name);
      if (!/\.(js|css|svg|txt|xml|json|webmanifest)$/.test(name)) continue;
      const content = fs.readFileSync(file);
      fs.writeFileSync(`${file}.br`, zlib.brotliCompressSync(content));
      fs.writeFileSync(`${file}.gz`, zlib.gzipSync(content, { level: 9 }));
    }
  },
};

/** Lets a part of the app that did not arrive be fetched again: see client/src/lib/calls/preload.ts. */
const preload: Plugin = {
  name: 'preload',
  enforce: 'pre',
  load: (id) =>
    id === '\0vite/preload-helper.js'
      ? `export { preload as __vitePreload } from '${at('client/src/lib/calls/preload.ts')}'`
      : null,
};

/**
 * Strips what only the server's API documents need, 6 kB of every page: the code in zod's schemas that makes JSON Schema, and each
 * endpoint's summary.
 */
const withoutDocuments: Plugin = {
  name: 'without-documents',
  apply: 'build',
  enforce: 'pre',
  transform: {
    filter: { id: /\/zod\/v4\/classic\/schemas\.js$|\/shared\/api\/[\w-]+\.ts$/ },
    handler: (code) =>
      code
        .replace(/inst\._zod\.processJSONSchema = [^;]*;/g, '')
        .replace(/import \{[^}]*\} from "\.\.\/core\/to-json-schema\.js";/, '')
        .replace(/create(?:Standard|To)JSONSchemaMethod\(this, [^)]*\)/g, '(() => undefined)')
        .replace(/\bsummary:\s*(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"),/g, ''),
  },
};

/** The account's export is a download, which no page reads: its shape, a tenth of the contract, stays on the server. */
const withoutExport: Plugin = {
  name: 'without-export',
  apply: 'build',
  enforce: 'pre',
  load: {
    filter: { id: /\/shared\/api\/account-export\.ts$/ },
    handler: () => `import * as z from 'zod'; export const accountExport = z.unknown()`,
  },
};

/** A page that the server renders preloads its typeface on a wide screen; for other pages server/platform/pages/page-html.ts removes the link. */
const typeface: Plugin = {
  name: 'typeface',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle = {} }) =>
      Object.keys(bundle)
        .filter((name) => name.endsWith('.woff2'))
        .map((name) => ({
          tag: 'link',
          attrs: {
            rel: 'preload',
            as: 'font',
            type: 'font/woff2',
            crossorigin: true,
            fetchpriority: 'low',
            media: '(width >= 40rem)',
            href: `/${name}`,
          },
          injectTo: 'head' as const,
        })),
  },
};

const framework =
  /node_modules\/(react|react-dom|scheduler|wouter|regexparam|use-sync-external-store|clsx|@tanstack(?!.*\/(?:useQueries|queriesObserver|useMutation|mutationObserver)\.js))\/|lucide-react\/dist\/esm\/(?!icons)/;

/**
 * `vite build` makes what browsers load; `vite build --ssr src/app/prerender.tsx` makes the renderer of visitors' pages, which the server
 * loads. All it needs is bundled into it, so that the server starts with a fraction of the icon library's files.
 */
export default defineConfig(({ isSsrBuild = false }) => ({
  root: at('client'),
  // What a page is made of; DATA_DIR, .env and the server's files are nobody's who reaches development.
  server: { fs: { allow: ['client', 'shared', 'node_modules'].map(at) } },
  plugins: [react(), tailwindcss(), preload, withoutDocuments, withoutExport, typeface, precompress],
  ...(isSsrBuild && { ssr: { noExternal: true }, define: { 'process.env.NODE_ENV': '"production"' } }),
  build: {
    outDir: at(isSsrBuild ? 'dist/prerender' : 'dist/public'),
    emptyOutDir: true,
    copyPublicDir: !isSsrBuild,
    // Tells the server which files a page consists of.
    manifest: !isSsrBuild,
    // Every browser that runs this syntax knows modulepreload.
    modulePreload: { polyfill: false },
    // The libraries that every page begins with are one file, which stays in the browser's cache from release to release.
    ...(!isSsrBuild && {
      rolldownOptions: {
        output: {
          codeSplitting: {
            includeDependenciesRecursively: false,
            groups: [
              { name: 'framework', test: framework, priority: 1 },
              { name: chunkName, priority: 0 },
            ],
          },
        },
      },
    }),
  },
}));
