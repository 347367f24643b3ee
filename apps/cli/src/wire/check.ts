import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import {
  BridgeError,
  bridge,
  chat,
  interactRequest,
  interactResponse,
  type Protocol,
  pusher,
  tasks,
} from '@drawbridge/protocol';
import { type Command, type Terminal, UsageError } from '../command.ts';
import { readOptions } from '../options.ts';

const PROTOCOLS = new Map<string, Protocol<unknown>>(
  Object.entries({
    bridge,
    chat,
    'interact-request': interactRequest,
    'interact-response': interactResponse,
    tasks,
    pusher,
  }),
);

type Verdict =
  | { readonly ok: true; readonly type: string }
  | { readonly ok: false; readonly code: string; readonly path: string; readonly message: string };

/** The output is JSON in any case. */
const OPTIONS = { json: { type: 'boolean' } } as const;

export const wireCheck: Command = {
  name: 'wire check',
  summary: 'check messages against a protocol',
  help: `drawbridge wire check PROTOCOL [FILE]

Reads one JSON message per line from FILE, or from standard
input, and prints one JSON line for each:

  {"ok":true,"type":"heartbeat"}
  {"ok":false,"code":"invalid_message",
   "path":"sessions[2].status","message":"…"}

PROTOCOL is one of
${[...PROTOCOLS.keys()].map((name) => `  ${name}`).join('\n')}

Empty lines are skipped. The exit code is 1 if any message is
invalid.

Example:
  echo '{"type":"ping","timestamp":0}' | drawbridge wire check tasks`,

  async run(args, terminal) {
    const { protocol, file } = readArguments(args);
    let allFit = true;
    for await (const line of linesOf(file, terminal)) {
      if (line.trim() === '') continue;
      const verdict = judge(protocol, line);
      allFit &&= verdict.ok;
      terminal.print(JSON.stringify(verdict));
    }
    return allFit ? 0 : 1;
  },
};

function readArguments(args: readonly string[]): { protocol: Protocol<unknown>; file: string | undefined } {
  const [name, file, ...more] = readOptions(args, OPTIONS).positionals;
  const protocol = PROTOCOLS.get(name ?? '');
  const known = `PROTOCOL is one of ${[...PROTOCOLS.keys()].join(', ')}.`;
  if (name === undefined) throw new UsageError(`Which protocol? ${known}`);
  if (protocol === undefined) throw new UsageError(`There is no protocol "${name}". ${known}`);
  if (more.length > 0) throw new UsageError('Give one FILE, or none to read standard input.');
  return { protocol, file };
}

function judge(protocol: Protocol<unknown>, line: string): Verdict {
  try {
    return { ok: true, type: protocol.kindOf(protocol.parse(line)) };
  } catch (error) {
    if (!(error instanceof BridgeError)) throw error;
    const { code, message, evidence } = error;
    return { ok: false, code, path: String(evidence['path'] ?? ''), message };
  }
}

async function* linesOf(file: string | undefined, terminal: Terminal): AsyncGenerator<string> {
  if (file === undefined && terminal.stdin.isTTY === true) {
    terminal.printError('Reading messages from the terminal, one per line. Press Ctrl-D to end.');
  }
  const input = file === undefined ? terminal.stdin : createReadStream(file);
  try {
    yield* createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  } catch (error) {
    throw new Error(
      `Could not read ${file ?? 'standard input'}: ${error instanceof Error ? error.message : error}`,
    );
  }
}
