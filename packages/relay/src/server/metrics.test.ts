import { readFile } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createMetrics } from './metrics.ts';

const deployed = (name: string): Promise<string> =>
  readFile(new URL(`../../../../deploy/${name}`, import.meta.url), 'utf8');

test('histogram buckets are cumulative', () => {
  const metrics = createMetrics();
  onTestFinished(metrics.close);
  const took = metrics.histogram('commit_seconds');
  for (const seconds of [0.002, 0.3, 99]) took(seconds);
  const text = metrics.text();
  for (const line of [
    '# TYPE drawbridge_commit_seconds histogram',
    'drawbridge_commit_seconds_bucket{le="0.001"} 0',
    'drawbridge_commit_seconds_bucket{le="0.0025"} 1',
    'drawbridge_commit_seconds_bucket{le="0.5"} 2',
    'drawbridge_commit_seconds_bucket{le="10"} 2',
    'drawbridge_commit_seconds_bucket{le="+Inf"} 3',
    'drawbridge_commit_seconds_sum 99.302',
    'drawbridge_commit_seconds_count 3',
  ])
    expect(text.split('\n')).toContain(line);
});

test('the dashboard and the ten alerts use only metrics that exist', async () => {
  const metrics = createMetrics();
  onTestFinished(metrics.close);
  const served = new Set([...metrics.text().matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name));
  const [dashboard, alerts] = await Promise.all(['dashboard.json', 'alerts.yaml'].map(deployed));
  const used = [...`${dashboard}${alerts}`.matchAll(/\bdrawbridge_\w+/g)].map(([name]) =>
    name.replace(/_bucket$/, ''),
  );
  expect(used.length).toBeGreaterThan(20);
  expect(used.filter((name) => !served.has(name))).toEqual([]);
  expect(JSON.parse(dashboard ?? '')).toMatchObject({ title: 'Drawbridge' });
  const rules = (alerts ?? '').split('- alert: ').slice(1);
  expect(rules).toHaveLength(10);
  for (const rule of rules)
    for (const field of ['expr', 'for', 'severity', 'summary', 'description'])
      expect(rule).toMatch(new RegExp(`\\b${field}: *\\S|\\b${field}:\\n +\\S`));
});
