import { printTable } from '../measure.ts';
import type { Overhead } from './interact-overhead.ts';
import type { TaskTokens } from './shop-tokens.ts';

export function printTasks(tasks: readonly TaskTokens[]): void {
  console.log('\ntokens (o200k) that a model reads in each task: all of them, and of its pages alone');
  printTable(
    [
      'task',
      'asks',
      'read',
      'an ask',
      'pages',
      'written',
      's',
      'peer asks',
      'peer read',
      'an ask',
      'peer pages',
      'read ×',
    ],
    [...tasks, totalOf(tasks)].map(({ name, asks, read, pages, written, ms, peer }) => [
      name,
      ...[asks, read, read / asks, pages, written].map((value) => value.toFixed(0)),
      (ms / 1000).toFixed(1),
      ...(peer ? [peer.asks, peer.read, peer.read / peer.asks, peer.pages] : []).map((value) =>
        value.toFixed(0),
      ),
      ...(peer ? [(read / peer.read).toFixed(2)] : []),
    ]),
  );
  console.log(
    'peer: the same questions with the snapshot of @playwright/mcp of that moment in place of our page and tools.',
  );
}

export function totalOf(tasks: readonly TaskTokens[]): TaskTokens {
  const sum = (value: (task: TaskTokens) => number) => tasks.reduce((all, task) => all + value(task), 0);
  const isWhole = tasks.every(({ peer }) => peer !== undefined);
  return {
    name: 'all',
    asks: sum(({ asks }) => asks),
    read: sum(({ read }) => read),
    pages: sum(({ pages }) => pages),
    written: sum(({ written }) => written),
    ms: sum(({ ms }) => ms),
    peer: isWhole
      ? {
          asks: sum(({ peer }) => peer?.asks ?? 0),
          read: sum(({ peer }) => peer?.read ?? 0),
          pages: sum(({ peer }) => peer?.pages ?? 0),
        }
      : undefined,
  };
}

export function printOverheads(overheads: readonly Overhead[]): void {
  console.log('\nms a call at the relay, one after another, when deciding takes no time');
  printTable(
    ['call', 'median', '90th percentile'],
    overheads.map(({ name, median, high }) => [name, median.toFixed(2), high.toFixed(2)]),
  );
}
