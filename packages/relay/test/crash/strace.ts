import { spawnSync } from 'node:child_process';

/** True when system calls can be traced here: it takes strace, and a container may forbid it. */
export const CAN_TRACE = spawnSync('strace', ['-qq', '-e', 'trace=none', 'true']).status === 0;
if (!CAN_TRACE) console.info('strace is not here, or not allowed: the tests that need it are skipped.');

/** One system call. Strace splits concurrent calls of two threads into two lines each. */
export interface Call {
  readonly name: string;
  /** Arguments and return value. */
  text: string;
  /** Positions of its start and end in the trace. */
  readonly began: number;
  ended: number;
}

const UNFINISHED = / <unfinished \.\.\.>$/;

/** Parses the output of `strace -f -o`, in the order of their starts. */
export function callsOf(lines: Iterable<string>): readonly Call[] {
  const calls: Call[] = [];
  const unfinished = new Map<string, Call>();
  let index = 0;
  for (const line of lines) {
    index += 1;
    const [, thread = '', rest = ''] = /^(\d+)\s+(.*)$/s.exec(line) ?? [];
    const [, second] = /^<\.\.\. \w+ resumed>(.*)$/s.exec(rest) ?? [];
    if (second !== undefined) {
      const call = unfinished.get(thread);
      if (call !== undefined) {
        call.ended = index;
        call.text = call.text.replace(UNFINISHED, '') + second;
      }
      unfinished.delete(thread);
      continue;
    }
    const name = /^(\w+)\(/.exec(rest)?.[1];
    if (name === undefined) continue;
    const isWhole = !UNFINISHED.test(rest);
    const call = { name, text: rest, began: index, ended: isWhole ? index : Number.POSITIVE_INFINITY };
    if (!isWhole) unfinished.set(thread, call);
    calls.push(call);
  }
  return calls;
}
