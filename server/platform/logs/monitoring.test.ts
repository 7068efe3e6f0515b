import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { testApp } from '#server/testing/test-app.ts';

const token = 'only-for-the-monitoring';
const app = testApp({ METRICS_TOKEN: token });
const read = (name: string) => fs.readFileSync(path.join(import.meta.dirname, name), 'utf8');

const alertsFile = read('../monitoring/alerts.yaml');
const alerts = [...alertsFile.matchAll(/- alert: (\w+)\n\s+expr: (.+)\n/g)].map(([, name, expr]) => ({
  name: name!,
  expr: expr!,
}));
type Rule = { expr: string; labels: { severity: string }; annotations: { runbook_url: string } };
type Dashboard = { panels: { title: string; targets: { expr: string }[] }[] };
const panels = (JSON.parse(read('../monitoring/grafana-dashboard.json')) as Dashboard).panels.flatMap(
  ({ title, targets }) => targets.map(({ expr }) => ({ name: title, expr })),
);

/** The words of PromQL that we use, and what Prometheus itself adds. */
const words = [
  'sum',
  'max',
  'topk',
  'rate',
  'by',
  'histogram_quantile',
  'min_over_time',
  'absent',
  'increase',
  'and',
  'or',
  'vector',
  'h',
  'up',
  'job',
  'instance',
  'le',
  'm',
  'e6',
];
const namesIn = (expr: string) =>
  [...expr.replace(/"[^"]*"/g, '').matchAll(/[a-z_][a-z0-9_]*/g)]
    .map(([name]) => name)
    .filter((name) => !words.includes(name));

describe('the configuration of monitoring', () => {
  it.each([...alerts, ...panels])('$name asks for what /metrics has', async ({ expr }) => {
    await app.agent().get('/api/user');
    const { text } = await app.agent().get('/metrics').auth(token, { type: 'bearer' }).expect(200);
    const series = [...text.matchAll(/^(\w+)(?:\{(.*)\})? /gm)];
    const known = new Set(
      series.flatMap(([, name, labels = '']) => [
        name!,
        ...[...labels.matchAll(/(\w+)="/g)].map(([, label]) => label!),
      ]),
    );
    const asked = namesIn(expr);
    expect(asked.length + Number(/^(absent\()?up\b/.test(expr))).toBeGreaterThan(0);
    for (const name of asked) expect(known, expr).toContain(name);
  });

  it('leads from each alert to the runbook, and wakes nobody for a single 500', () => {
    const { groups } = parse(alertsFile) as { groups: { rules: Rule[] }[] };
    const rules = groups.flatMap((group) => group.rules);
    expect(rules).toHaveLength(alerts.length);
    for (const { annotations } of rules) expect(annotations.runbook_url).toMatch(/^https:.*RUNBOOK\.md#an-alert$/);
    const paging = rules.filter(({ labels }) => labels.severity === 'page').map(({ expr }) => expr);
    expect(paging.filter((expr) => /errors_total\[\w+\]\)\) > 0|status="500"/.test(expr))).toEqual([]);
  });

  it('the runbook says what to do at each alert', () => {
    const told = [...read('../../RUNBOOK.md').matchAll(/^\| `(\w+)` +\|/gm)].map(([, name]) => name);
    expect(alerts.length).toBe(alertsFile.split('- alert:').length - 1);
    expect(told.filter((name) => /^[A-Z][a-z]+[A-Z]/.test(name!)).toSorted()).toEqual(
      alerts.map(({ name }) => name).toSorted(),
    );
  });
});
