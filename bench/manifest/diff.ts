import { fork } from 'node:child_process';
import { diffValues } from '@drawbridge/manifest';
import { type Figure, figure } from '../../scripts/bench/figure.ts';
import { median, printTable } from '../measure.ts';

/** Cost of a diff of a long list, beside rfc6902. */

const ITEMS = 10_000;
const ROUNDS = 7;
const PEER_LIMIT_MS = 20_000;

interface Item {
  readonly id: string;
  readonly name: string;
  readonly stock: number;
}

interface Outcome {
  readonly ms: number;
  readonly operations: number;
  readonly chars: number;
}

const itemsOf = (count: number): Item[] =>
  Array.from({ length: count }, (_, at) => ({ id: `item-${at}`, name: `Item number ${at}`, stock: at % 50 }));

const FRESH: Item = { id: 'fresh', name: 'Just in', stock: 1 };

const IN_FRONT = 'one put in front';
const MIXED = 'every 100th gone, as many new, as many moved';

const CHANGES: Readonly<Record<string, (items: readonly Item[]) => Item[]>> = {
  [IN_FRONT]: (items) => [FRESH, ...items],
  'the last brought to the front': (items) => [...items.slice(-1), ...items.slice(0, -1)],
  'every 100th changed': (items) =>
    items.map((item, at) => (at % 100 === 0 ? { ...item, stock: item.stock + 1 } : item)),
  [MIXED]: (items) => {
    const kept = items.filter((_, at) => at % 100 !== 0);
    const moved = kept.filter((_, at) => at % 100 === 50);
    const rest = kept.filter((_, at) => at % 100 !== 50);
    return [...moved, ...rest, ...moved.map(({ id }) => ({ ...FRESH, id: `new-${id}` }))];
  },
};

/** Rebuilds a state as a page would send it: old and new share no objects. */
const reread = (state: unknown): unknown => JSON.parse(JSON.stringify(state));

function measureOurs(before: unknown, after: unknown): Outcome {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const [old, next] = [reread(before), reread(after)];
    const started = performance.now();
    diffValues(old, next);
    return performance.now() - started;
  });
  const { patches } = diffValues(before, after);
  return { ms: median(rounds), operations: patches.length, chars: JSON.stringify(patches).length };
}

/** The peer may exceed any reasonable time or memory. */
function measurePeer(before: unknown, after: unknown): Promise<Outcome | string> {
  const peer = fork(new URL('./index-diff-process.ts', import.meta.url), {
    execArgv: ['--stack-size=7000', '--max-old-space-size=2048'],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  return new Promise<Outcome | string>((resolve) => {
    const timer = setTimeout(() => resolve(`over ${PEER_LIMIT_MS / 1000} s`), PEER_LIMIT_MS);
    peer.once('message', (outcome: Outcome) => resolve(outcome));
    peer.once('exit', () => {
      clearTimeout(timer);
      resolve('gave up');
    });
    peer.send([before, after]);
  }).finally(() => peer.kill('SIGKILL'));
}

const cells = (outcome: Outcome | string): string[] =>
  typeof outcome === 'string'
    ? [outcome, '', '']
    : [outcome.ms.toFixed(1), String(outcome.operations), String(outcome.chars)];

export async function benchStateDiffs(): Promise<readonly Figure[]> {
  const before = { items: itemsOf(ITEMS) };
  const rows: string[][] = [];
  const outcomes = new Map<string, { readonly ours: Outcome; readonly peer: Outcome | string }>();
  for (const [name, change] of Object.entries(CHANGES)) {
    const after = { items: change(before.items) };
    const ours = measureOurs(before, after);
    const peer = await measurePeer(before, after);
    outcomes.set(name, { ours, peer });
    rows.push([name, ...cells(ours), ...cells(peer)]);
  }
  console.log(`State diff of ${ITEMS} items (${JSON.stringify(before).length} characters), beside rfc6902`);
  printTable(['change', 'ms', 'operations', 'chars', 'rfc6902 ms', 'operations', 'chars'], rows);

  const inFront = outcomes.get(IN_FRONT);
  const peer = typeof inFront?.peer === 'object' ? inFront.peer : undefined;
  return [
    figure({
      id: 'manifest.diff',
      what: `one put in front of ${ITEMS.toLocaleString('en')}, as a patch`,
      unit: 'operations',
      better: 'less',
      ours: inFront?.ours.operations,
      beside: [peer && { name: 'rfc6902', value: peer.operations }],
      must: { value: 1 },
      how: 'a state’s patch by identity, not by place',
      ...(typeof inFront?.peer === 'string' && { note: `rfc6902: ${inFront.peer}` }),
    }),
    figure({
      id: 'manifest.diff.growth',
      what: 'time of a diff for 10 times the items',
      unit: 'times as long',
      better: 'less',
      ours: growthOf(MIXED),
      must: { value: 40 },
      how: `${ITEMS.toLocaleString('en')} and ${(ITEMS * 10).toLocaleString('en')} items, ${MIXED}`,
    }),
  ];
}

function growthOf(change: string): number {
  const timeOf = (count: number): number => {
    const items = itemsOf(count);
    return measureOurs({ items }, { items: CHANGES[change]?.(items) ?? items }).ms;
  };
  return timeOf(ITEMS * 10) / timeOf(ITEMS);
}
