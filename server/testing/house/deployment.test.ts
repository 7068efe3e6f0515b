import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { parseEnv } from '#server/platform/env.ts';
import { blockOf, guide, variablesOf } from '../walk/first-start.ts';
import { commandsOf, of, readDockerfile } from './dockerfile.ts';
import { startTestApp, type TestApp } from '../test-app.ts';

type Compose = {
  services: Record<
    string,
    { environment?: Record<string, unknown>; stop_grace_period?: string; configs?: { source: string }[] }
  >;
  configs: Record<string, { content: string }>;
};
const text = fs.readFileSync('compose.yaml', 'utf8');
const given: Record<string, string> = {
  POSTGRES_PASSWORD: 'postgres-password',
  SESSION_SECRET: 'k3f9-wq7z-p1mx-8vbn-c2ld-r5ty-u6hj-a0se',
};
const compose = parse(text) as Compose;
/** Fills variables into a value of the file as compose does: ${NAME}, ${NAME-default}, ${NAME:-default}, ${NAME:?why}. */
const filled = (value: unknown) =>
  String(value).replace(
    /\$\{(\w+)(?::?-([^}]*)|:\?[^}]*)?\}/g,
    (_all, name: string, otherwise?: string) => given[name] ?? otherwise ?? '',
  );
const server = compose.services['server']!;
const known = [...fs.readFileSync('.env.example', 'utf8').matchAll(/^# ([A-Z_]+)=/gm)].map(([, name]) => name);

const haproxy = ['/usr/sbin/haproxy', '/usr/local/sbin/haproxy'].find((file) => fs.existsSync(file));

describe('compose.yaml', () => {
  it('gives the server only variables that it knows, and a configuration that production accepts', () => {
    const variables = Object.fromEntries(
      Object.entries(server.environment!).map(([name, value]) => [name, filled(value)]),
    );
    expect(Object.keys(variables).filter((name) => !known.includes(name))).toEqual([]);
    expect(parseEnv({ NODE_ENV: 'production', ...variables })).toMatchObject({
      sandbox: true,
      databaseConnections: 10,
    });
  });

  it('asks for variables that .env.example explains, and the database’s password', () => {
    const asked = [...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name);
    expect(asked.filter((name) => name !== 'POSTGRES_PASSWORD' && !known.includes(name))).toEqual([]);
  });

  it('waits longer than a server may take to stop', () => {
    const { drainSeconds } = parseEnv({
      NODE_ENV: 'development',
      DRAIN_SECONDS: String(server.environment!['DRAIN_SECONDS']),
    });
    expect(parseInt(server.stop_grace_period!, 10)).toBeGreaterThan(drainSeconds + 20);
  });

  it('keeps sessions together in the pooler, and asks /readyz before it sends requests', () => {
    expect(compose.configs['pooler']!.content).toContain('pool_mode = session');
    expect(compose.configs['balancer']!.content).toContain('option httpchk GET /readyz');
  });

  it.skipIf(!haproxy)('has a balancer’s configuration that HAProxy accepts', () => {
    const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'haproxy-')), 'haproxy.cfg');
    fs.writeFileSync(file, compose.configs['balancer']!.content);
    expect(String(execFileSync(haproxy!, ['-c', '-f', file]))).toContain('valid');
    fs.rmSync(path.dirname(file), { recursive: true });
  });
});

describe('the first start in server/DEPLOYMENT.md', () => {
  const variables = variablesOf((placeholder) => `k3f9wq7zp1mx8vbnc2ldr5tyu6hja0se${placeholder.length}`);

  it('has variables that .env.example explains, which production accepts with live keys and without a warning', () => {
    expect(Object.keys(variables).filter((name) => !known.includes(name))).toEqual([]);
    const env = parseEnv({ NODE_ENV: 'production', ...variables });
    expect(env.warnings).toEqual([]);
    expect(env.seller.supportEmail).toBe('support@firm.com.au');
  });

  it.each(
    Object.keys(variables).filter((name) => /^(TRUST_PROXY|DATABASE_URL|SESSION|SELLER|STRIPE|SUPPORT)/.test(name)),
  )('names nothing that a start could do without: %s', (name) => {
    if (name === 'SETUP_TOKEN' || name === 'APP_URL') return;
    const start = () => parseEnv({ NODE_ENV: 'production', ...variables, [name]: '' });
    expect(start).toThrow(name);
  });

  it('makes the roles of its addresses', () => {
    const roles = [...blockOf('sql').matchAll(/create role (\w+) login password '(\w+)'/g)].map(
      ([, role, word]) => `${role}:${word}`,
    );
    const used = ['MIGRATION_DATABASE_URL', 'DATABASE_URL'].map((name) => new URL(variables[name]!));
    expect(used.map(({ username, password }) => `${username}:${password}`)).toEqual(roles);
    expect(blockOf('sql')).toContain(`create database ${used[0]!.pathname.slice(1)} owner ${used[0]!.username}`);
  });

  it('runs commands that there are', () => {
    const { scripts } = JSON.parse(fs.readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
    const asked = [...guide.matchAll(/npm (?:run )?([a-z]+(?::[a-z]+)?)/g)].map(([, name]) => name!);
    expect(asked.length).toBeGreaterThan(4);
    expect(asked.filter((name) => name !== 'ci' && !scripts[name])).toEqual([]);
    const built = [...guide.matchAll(/dist\/([\w/-]+)\.cli\.js/g)].map(([, name]) => `server/${name}.cli.ts`);
    expect(built.filter((file) => !scripts['build:server']!.includes(file))).toEqual([]);
  });

  it.skipIf(!haproxy)('has a balancer’s configuration that HAProxy accepts', () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'haproxy-'));
    const file = path.join(folder, 'haproxy.cfg');
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'rsa:2048',
        '-nodes',
        '-subj',
        '/CN=firm',
        '-keyout',
        `${folder}/firm.pem.key`,
        '-out',
        `${folder}/firm.pem`,
      ],
      { stdio: 'ignore' },
    );
    fs.writeFileSync(file, blockOf('haproxy').replace('/etc/haproxy', folder));
    expect(String(execFileSync(haproxy!, ['-c', '-f', file]))).toContain('valid');
    fs.rmSync(folder, { recursive: true });
  });
});

type Probe = { httpGet: { path: string; port: string } };
type Manifest = {
  kind: string;
  data?: Record<string, string>;
  spec: { selector?: unknown; template: { metadata: { labels: unknown }; spec: Pod } };
};
type Pod = {
  terminationGracePeriodSeconds: number;
  securityContext: unknown;
  containers: (Record<'startupProbe' | 'livenessProbe' | 'readinessProbe', Probe> & {
    ports: { name: string; containerPort: number }[];
  })[];
};

describe('server/kubernetes.yaml', () => {
  const written = fs.readFileSync('server/kubernetes.yaml', 'utf8');
  const manifests = parseAllDocuments(written).map((document) => document.toJS() as Manifest);
  const of = (kind: string) => manifests.find((one) => one.kind === kind)!;
  const { template, selector } = of('Deployment').spec;
  const [container] = template.spec.containers;

  it('gives the server only variables that it knows, and with a secret a configuration that production accepts', () => {
    const { data } = of('ConfigMap');
    expect(Object.keys(data!).filter((name) => !known.includes(name))).toEqual([]);
    const secret = {
      SESSION_SECRET: given['SESSION_SECRET'],
      DATABASE_URL: 'postgresql://db/adviserly',
      PAYMENTS: 'sandbox',
    };
    const mail = { SMTP_URL: 'smtps://mail.example', MAIL_FROM: 'hello@adviserly.example' };
    const env = parseEnv({ NODE_ENV: 'production', ...data, ...secret, ...mail });
    expect(template.spec.terminationGracePeriodSeconds).toBeGreaterThan(env.drainSeconds + 20);
    expect(container!.ports[0]!.containerPort).toBe(env.port);
  });

  it('asks /healthz whether the process lives, and /readyz before it sends requests', () => {
    const { startupProbe, livenessProbe, readinessProbe } = container!;
    expect([startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet)).toEqual([
      { path: '/healthz', port: 'http' },
      { path: '/healthz', port: 'http' },
      { path: '/readyz', port: 'http' },
    ]);
  });

  it('finds its own pods, and runs them as the image’s user', () => {
    for (const chosen of [selector, of('PodDisruptionBudget').spec.selector])
      expect(chosen).toEqual({ matchLabels: template.metadata.labels });
    expect(of('Service').spec.selector).toEqual(template.metadata.labels);
    expect(template.spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
  });
});

describe('Dockerfile', () => {
  const stages = readDockerfile();
  const [build, last] = [stages[0]!, stages.at(-1)!];
  const { scripts } = JSON.parse(fs.readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

  it('builds by the scripts that there are, and starts as npm start does, without root', () => {
    expect(of(build, 'RUN')).toEqual([
      'npm ci',
      'npm run build',
      'npm prune --omit=dev --omit=optional',
      expect.stringMatching(/^find node_modules\/@fontsource .* -delete$/),
    ]);
    expect(scripts['build']).toBeDefined();
    expect(scripts['start']).toBe(`NODE_ENV=production exec ${commandsOf(last).start.join(' ')}`);
    expect(of(last, 'ENV')).toContain('NODE_ENV=production');
    expect(of(last, 'USER')).toEqual(['node']);
    expect(of(last, 'LABEL')).toEqual(['org.opencontainers.image.revision=$RELEASE']);
  });

  it('copies what there is once it is built', () => {
    const sources = of(last, 'COPY').map((copied) => /\/app\/(\S+) /.exec(copied)?.[1]);
    const made = ['dist', 'node_modules'];
    expect(sources.filter((source) => !made.includes(source!) && !fs.existsSync(source!))).toEqual([]);
  });

  describe('its health check', () => {
    let app: TestApp;
    beforeAll(async () => {
      app = await startTestApp();
    });
    afterAll(() => app.stop());

    const exit = async (port: string) => {
      const [program = '', ...args] = commandsOf(last).health;
      const [code] = (await once(spawn(program, args, { env: { ...process.env, PORT: port } }), 'exit')) as [number];
      return code;
    };
    it('knows a server that answers from one that does not', async () => {
      expect(await exit(new URL(app.url).port)).toBe(0);
      expect(await exit('1')).toBe(1);
    });
  });
});
