import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as passed } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openPostgresLedger } from '@drawbridge/ledger';
import { expect } from 'vitest';
import { openLog } from '../crash/client-log.ts';
import { startBrowser } from '../crash/crash-browser.ts';
import { startProxy } from '../crash/crash-proxy.ts';
import { createOutages, type Outages } from '../crash/outages.ts';
import { type ClusterHarness, type HarnessOptions, startClusterHarness } from './cluster-harness.ts';

const CHECKER = fileURLToPath(new URL('../crash/checker.ts', import.meta.url));
const BROWSERS = 6;
const SESSIONS = 3;
/** Time under load before and after the fault. */
const WHILE_MS = 1_500;

export const NODES = [0, 1, 2] as const;
/** Short, so that a dead node is noticed soon. */
export const SHORT_LEASE: HarnessOptions = { lease: { lease_ms: 3_000, round_ms: 500, margin_ms: 500 } };

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, number) => number);
const sessionOf = (number: number): string => `session-${number % SESSIONS}`;

export interface Report {
  readonly accepted: number;
  readonly injected: number;
  readonly repeated: number;
  readonly delivered: number;
  readonly unknown: number;
  readonly lost: number;
  readonly doubled: number;
  readonly reordered: number;
  readonly swallowed: number;
  readonly events: number;
  readonly problems: readonly string[];
}

/** The nodes under load, and the clients' side of a fault. */
export interface Load {
  readonly harness: ClusterHarness;
  readonly outages: Outages;
  /** Runs a fault; resolves when every client is served again. */
  readonly during: (kind: string, fault: () => Promise<void>) => Promise<void>;
}

/**
 * People on all nodes send to the sessions of a proxy during `trouble`; afterwards nothing may be lost,
 * duplicated or out of order.
 */
export async function underLoad(
  trouble: (load: Load) => Promise<void>,
  options: HarnessOptions = SHORT_LEASE,
): Promise<Report> {
  await using harness = await startClusterHarness(options);
  const logs = join(harness.folder, 'logs');
  mkdirSync(logs);
  const [proxyToken = '', ...tokens] = await harness.begin(0, [
    { role: 'proxy', scopes: [] },
    ...range(BROWSERS).map((n) => ({ role: 'person', scopes: [`session:${sessionOf(n)}`] }) as const),
  ]);
  await Promise.all([harness.begin(1), harness.begin(2)]);
  using clients = new DisposableStack();
  const proxy = startProxy(harness.lives(NODES), {
    token: proxyToken,
    session_ids: range(SESSIONS).map(sessionOf),
    log: openLog(logs, 'proxy'),
  });
  clients.defer(proxy.close);
  await proxy.announced;
  const names = range(BROWSERS).map((n) => `browser-${n}`);
  const outages = createOutages(names);
  const browsers = names.map((name, n) => {
    const token = tokens[n] ?? '';
    const indexes = [n % 3, (n + 1) % 3, (n + 2) % 3];
    const log = openLog(logs, name);
    return startBrowser(harness.lives(indexes), {
      name,
      token,
      session_id: sessionOf(n),
      log,
      insists: true,
      onServed: (service, since) => outages.served(name, service, since),
    });
  });
  for (const browser of browsers) clients.defer(browser.close);
  await passed(WHILE_MS);
  const inFlight = (): number => browsers.reduce((sum, { unsettled }) => sum + unsettled(), 0);
  const during: Load['during'] = (kind, fault) => outages.during(kind, inFlight(), fault);
  await trouble({ harness, outages, during });
  await passed(WHILE_MS);
  await Promise.all(browsers.map((browser) => browser.settle()));
  clients.dispose();
  // The harness must exist until then.
  return await check(harness, logs);
}

/** Checks the ledger file and the clients' logs with a program that shares no code with the relay. */
async function check({ postgres, folder }: ClusterHarness, logs: string): Promise<Report> {
  const ledger = await openPostgresLedger({ url: postgres.url });
  const file = join(folder, 'ledger.db');
  try {
    expect(await ledger.verify()).not.toHaveProperty('damage');
    await ledger.backup(file);
  } finally {
    await ledger.close();
  }
  const { stdout } = await promisify(execFile)(process.execPath, [CHECKER, logs, file]);
  const report = trustReport(stdout);
  expect(report.problems).toEqual([]);
  expect(report.accepted).toBeGreaterThan(BROWSERS);
  return report;
}

function trustReport(text: string): Report {
  return JSON.parse(text);
}
