import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startRelay } from '@drawbridge/relay';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';

const DEPLOY = fileURLToPath(new URL('../deploy/', import.meta.url));
const ALERTS = join(DEPLOY, 'alerts.yaml');

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets: readonly { readonly expr: string }[];
  }[];
}
const dashboard: Dashboard = JSON.parse(readFileSync(join(DEPLOY, 'dashboard.json'), 'utf8'));
const EXPRESSIONS = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
/** Series that only relays of a cluster have. */
const OF_CLUSTERS = /leader|bus_|proxied_requests/;

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'drawbridge-prometheus-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test('each of the ten alerts fires on its fault, with its text, and on no other', () => {
  const { rules } = parse(readFileSync(ALERTS, 'utf8')).groups[0];
  expect(rules).toHaveLength(10);
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', 'alerts.test.yaml'], {
    cwd: DEPLOY,
    encoding: 'utf8',
  });
  expect({ status, stderr }, stdout).toEqual({ status: 0, stderr: '' });
});

test('every alert has a test', () => {
  const names = parse(readFileSync(ALERTS, 'utf8')).groups[0].rules.map(
    ({ alert }: { readonly alert: string }) => alert,
  );
  const { tests } = parse(readFileSync(join(DEPLOY, 'alerts.test.yaml'), 'utf8'));
  for (const name of names)
    expect(tests.map((each: { readonly name: string }) => each.name)).toContain(
      `${name} fires, and not before its time`,
    );
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function startPrometheus(folder: string, target: string): Promise<string> {
  await copyFile(ALERTS, join(folder, 'alerts.yaml'));
  const scrape = { job_name: 'drawbridge', static_configs: [{ targets: [target] }] };
  const config = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: ['alerts.yaml'],
    scrape_configs: [scrape],
  };
  await writeFile(join(folder, 'prometheus.yml'), JSON.stringify(config));
  const port = await freePort();
  const program: ChildProcess = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  );
  onTestFinished(async () => {
    program.kill('SIGKILL');
    if (program.exitCode === null && program.signalCode === null) await once(program, 'exit');
  });
  return `http://127.0.0.1:${port}`;
}

test('a Prometheus loads the alerts, scrapes a relay, and has series for every panel of the dashboard', async () => {
  const folder = await temporaryFolder();
  await using relay = await startRelay({ data: await temporaryFolder(), port: 0, env: {} });
  const url = await startPrometheus(folder, new URL(relay.url).host);
  const ask = async (path: string) => {
    const answer = await fetch(`${url}${path}`).then(
      (response) => response.json(),
      () => ({ data: undefined }),
    );
    return answer.data;
  };
  const query = async (expr: string) =>
    (await ask(`/api/v1/query?query=${encodeURIComponent(expr)}`))?.result ?? [];
  // Rates need two scrapes.
  await expect.poll(async () => (await query('count_over_time(up[1m]) > 2')).length).toBe(1);
  const { groups } = await ask('/api/v1/rules');
  expect(groups[0].rules).toHaveLength(10);
  // A busy machine may delay the event loop, which the alert has to notice.
  for (const { name, health, state } of groups[0].rules) {
    expect(health, name).toBe('ok');
    expect(state, name).not.toBe('firing');
  }
  for (const expr of EXPRESSIONS.filter((each) => !OF_CLUSTERS.test(each)))
    await expect.poll(async () => (await query(expr)).length, { message: expr }).toBeGreaterThan(0);
});
