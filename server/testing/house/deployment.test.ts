import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { parseEnv } from '#server/platform/env.ts';
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

  const haproxy = ['/usr/sbin/haproxy', '/usr/local/sbin/haproxy'].find((file) => fs.existsSync(file));
  it.skipIf(!haproxy)('has a balancer’s configuration that HAProxy accepts', () => {
    const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'haproxy-')), 'haproxy.cfg');
    fs.writeFileSync(file, compose.configs['balancer']!.content);
    expect(String(execFileSync(haproxy!, ['-c', '-f', file]))).toContain('valid');
    fs.rmSync(path.dirname(file), { recursive: true });
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
