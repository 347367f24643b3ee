import { basename } from 'node:path';
import type { Call } from './strace.ts';

/** File operations of a program, in order. */
export type DiskStep =
  | { readonly did: 'write'; readonly file: string; readonly at: number; readonly bytes: Buffer }
  | { readonly did: 'cut'; readonly file: string; readonly length: number }
  | { readonly did: 'remove'; readonly file: string }
  | { readonly did: 'sync'; readonly file: string }
  | { readonly did: 'acknowledge'; readonly ids: readonly string[] };

/** Parses `strace -y -xx` output, with every byte as `\xNN`. */
export function diskSteps(calls: readonly Call[], folder: string): readonly DiskStep[] {
  return calls.flatMap((call) => stepOf(call, folder) ?? []);
}

function stepOf({ name, text }: Call, folder: string): DiskStep | undefined {
  const path = pathOf(/^\w+\(\d+<([^>]*)>/.exec(text)?.[1] ?? /^unlink\("([^"]*)"/.exec(text)?.[1] ?? '');
  const inside = path.startsWith(`${folder}/`);
  const file = basename(path);
  if (name === 'write') {
    const [word, ...ids] = bytesOf(text).toString('latin1').trim().split(' ');
    return word === 'acknowledged' ? { did: 'acknowledge', ids } : undefined;
  }
  if (!inside || file.endsWith('-shm')) return undefined;
  const last = (pattern: RegExp): number => Number(pattern.exec(text)?.[1]);
  if (name === 'pwrite64') return { did: 'write', file, at: last(/, (\d+)\)\s+=/), bytes: bytesOf(text) };
  if (name === 'ftruncate') return { did: 'cut', file, length: last(/, (\d+)\)\s+=/) };
  if (name === 'unlink') return / = 0/.test(text) ? { did: 'remove', file } : undefined;
  return { did: 'sync', file };
}

function bytesOf(text: string): Buffer {
  return Buffer.from(/"((?:\\x[0-9a-f]{2})*)"/.exec(text)?.[1]?.replaceAll('\\x', '') ?? '', 'hex');
}

function pathOf(text: string): string {
  return text.includes('\\x') ? Buffer.from(text.replaceAll('\\x', ''), 'hex').toString() : text;
}

/** Random decisions about each unsynced step. */
export interface Chance {
  readonly int: (least: number, most: number) => number;
}

const SECTOR = 512;

/**
 * A possible disk state after a power loss at this step. Synced writes are there; of each later write all,
 * nothing or some sectors, in any order.
 */
export function afterPowerLoss(
  steps: readonly DiskStep[],
  count: number,
  chance: Chance,
): ReadonlyMap<string, Buffer> {
  const files = new Map<string, Content>();
  const past = steps.slice(0, count);
  const synced = new Map<string, number>();
  for (const [index, step] of past.entries()) if (step.did === 'sync') synced.set(step.file, index);
  /** A file's removal is in the file system's journal, which any later sync includes. */
  const lastSync = past.findLastIndex(({ did }) => did === 'sync');
  for (const [index, step] of past.entries()) {
    if (step.did === 'sync' || step.did === 'acknowledge') continue;
    const certain = index <= (step.did === 'remove' ? lastSync : (synced.get(step.file) ?? -1));
    const fate = certain ? 'whole' : FATES[chance.int(0, 2)];
    if (fate === 'lost') continue;
    if (step.did === 'remove') {
      files.delete(step.file);
      continue;
    }
    const content = files.get(step.file) ?? { bytes: Buffer.alloc(0), length: 0 };
    files.set(step.file, content);
    if (step.did === 'cut') resize(content, step.length);
    else write(content, step.at, step.bytes, fate === 'torn' ? chance : undefined);
  }
  return new Map([...files].map(([name, { bytes, length }]) => [name, bytes.subarray(0, length)]));
}

const FATES = ['whole', 'lost', 'torn'] as const;

/** Zeros follow beyond its length. */
interface Content {
  bytes: Buffer;
  length: number;
}

function resize(content: Content, length: number): void {
  if (length > content.bytes.length) {
    content.bytes = Buffer.concat([content.bytes], Math.max(length, 2 * content.bytes.length));
  }
  if (length < content.length) content.bytes.fill(0, length, content.length);
  content.length = length;
}

/** With a chance, writes only some of the touched sectors. */
function write(content: Content, at: number, bytes: Buffer, torn: Chance | undefined): void {
  if (at + bytes.length > content.length) resize(content, at + bytes.length);
  for (let from = 0; from < bytes.length; ) {
    const to = Math.min(bytes.length, from + SECTOR - ((at + from) % SECTOR));
    if (torn === undefined || torn.int(0, 1) === 1) bytes.copy(content.bytes, at + from, from, to);
    from = to;
  }
}
