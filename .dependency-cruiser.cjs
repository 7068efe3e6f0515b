/** The import law: who may import whom. server/testing/house/import-law.test.ts plants a violation of each rule and expects it to be caught. */
/**
 * The server's rooms from the ground up: a room may import those before it, never one after it, and only through their service.ts.
 * An adapter has none: its files are imported one by one.
 */
const rooms = [
  'embedded-postgres',
  'audit',
  'people',
  'notifications',
  'catalogue',
  'usage',
  'access-tokens',
  'payers',
  'kept-answers',
  'stripe',
  'invoices',
  'subscriptions',
  'billing',
  'teams',
  'books',
  'analytics',
  'tools',
  'record',
  'recalls',
  'evidence',
  'developers',
  'accounts',
  'admin',
  'site',
];
const adapters = ['stripe'];
const fileOf = (room) => `server/${room}/${adapters.includes(room) ? '' : 'service\\.ts$'}`;
const tests = '\\.test\\.tsx?$|/developers/testing/';
const only = (name, from, to, extra = {}) => ({
  name,
  severity: 'error',
  from: { path: from, pathNot: tests },
  to: { path: '^(client|server|shared)/', pathNot: to, ...extra },
});

module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    { name: 'not-to-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    only('rules-import-rules', '^shared/rules/', '^shared/rules/'),
    only('schema-imports-rules', '^shared/schema/', '^shared/((schema|rules)/|brand\\.ts$)'),
    only('api-imports-rules', '^shared/api/', '^shared/(api|rules)/', { dependencyTypesNot: ['type-only'] }),
    only('api-imports-types-of-schema', '^shared/api/', '^shared/((api|rules|schema)/|brand\\.ts$)'),
    only('platform-imports-platform', '^server/platform/', '^(shared|server/platform)/'),
    ...rooms.map((room, index) =>
      only(
        `${room}-imports-rooms-below`,
        `^server/${room}/`,
        `^(${['shared/', 'server/platform/', `server/${room}/`, ...rooms.slice(0, index).map(fileOf)].join('|')})`,
      ),
    ),
    only('payments-sandbox-imports-own', '^server/dev/payments-sandbox/', '^server/dev/payments-sandbox/'),
    only('tool-check-imports-own', '^server/developers/tool-check/', '^server/developers/tool-check/'),
    only('server-imports-server', '^server/', '^(server|shared)/'),
    only('ui-imports-ui', '^client/src/ui/', '^(client/src/ui/|tailwind\\.config)', {
      dependencyTypesNot: ['type-only'],
    }),
    only('lib-imports-contract', '^client/src/lib/', '^(client/src/lib/|shared/(api|rules)/|shared/brand\\.ts$)', {
      dependencyTypesNot: ['type-only'],
    }),
    only(
      'feature-imports-own',
      '^client/src/features/([^/]+)/',
      '^(client/src/(ui|lib|features/($1|billing))/|shared/(api|rules)/|shared/brand\\.ts$)',
    ),
    only('client-imports-client', '^client/src/', '^(client/src|shared)/'),
    {
      name: 'members-load-their-calls',
      severity: 'error',
      from: {
        path: '^client/src/',
        pathNot: [
          '^client/src/(features/(admin|developers)/|lib/calls/operator-api\\.ts$|app/palette-people\\.tsx$)',
          tests,
        ],
      },
      to: { path: '^(shared/api/index|client/src/lib/calls/operator-api)\\.ts$' },
    },
    {
      name: 'spa-without-tables',
      severity: 'error',
      from: { path: '^client/src/' },
      to: { path: '^shared/schema/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'sql-in-queries',
      severity: 'error',
      from: { path: '^server/', pathNot: ['/queries[a-z-]*\\.ts$', '^server/(platform|testing|dev/seed)/', tests] },
      to: { path: 'node_modules/drizzle-orm/' },
    },
    {
      name: 'drizzle-in-tables',
      severity: 'error',
      from: { path: '^(shared|client)/', pathNot: '^shared/schema/' },
      to: { path: 'node_modules/drizzle-' },
    },
    {
      name: 'stripe-in-payments',
      severity: 'error',
      from: {
        path: '^server/',
        pathNot: '^server/(platform/payments|stripe/ask|dev/payments-sandbox/testing/world)\\.ts$',
      },
      to: { path: 'node_modules/stripe/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'csurf-in-csrf',
      severity: 'error',
      from: { pathNot: '^server/platform/http/csrf\\.ts$' },
      to: { path: 'node_modules/(@types/)?csurf/' },
    },
    {
      name: 'no-node-in-client',
      severity: 'error',
      from: { path: '^client/src/', pathNot: tests },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'not-to-dev-dependency',
      severity: 'error',
      from: {
        path: '^(server|shared)/',
        pathNot: [tests, '^server/(testing|dev)/', '^server/(platform/pages/spa|index)\\.ts$'],
      },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'], pathNot: 'node_modules/@types/' },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.json'],
    },
  },
};
