import { resolve } from 'node:path';
import { BridgeError } from '@drawbridge/protocol';
import {
  DocumentLeft,
  type RecordedStep,
  type RecordedWalk,
  type Recording,
  recordedMap,
  recordWalk,
  replayWalk,
  type WalkRecorder,
  walkText,
} from '@drawbridge/runtime';
import type { CdpBrowser } from '@drawbridge/runtime/cdp';
import { openMapFolder } from '@drawbridge/runtime/node';
import { plainText } from '../ask/plain-text.ts';
import { createTerminalAsker } from '../ask/terminal-asker.ts';
import type { ExitCode, Terminal } from '../command.ts';
import { openDataFolder } from '../live/data-folder.ts';
import { listenForEnd } from '../live/ending.ts';
import type { BrowserOptions } from '../live/live-arguments.ts';
import { openLiveBridge } from '../live/live-bridge.ts';
import { hasScreen, openBrowser } from '../live/live-browser.ts';
import { paintFor, widthOf, wrap } from './paint.ts';
import type { UntilDone } from './record.ts';
import type { RecordedFile } from './recorded-file.ts';

export interface RecordOptions extends BrowserOptions {
  readonly file: string;
  readonly url: string;
  readonly name?: string | undefined;
  readonly replay?: boolean | undefined;
  readonly json?: boolean | undefined;
}

const MAX_SHOWN_CHARS = 300;

export async function recordTool(
  options: RecordOptions,
  target: RecordedFile,
  untilDone: UntilDone,
  terminal: Terminal,
): Promise<ExitCode> {
  if (options.headless !== true && !hasScreen())
    throw new Error('Recording needs a screen, and none was found. Run it on a machine with one.');
  const say = options.json === true ? jsonWords(terminal) : plainWords(terminal);
  await using closing = new AsyncDisposableStack();
  const ending = listenForEnd();
  closing.defer(ending.close);
  const browser = await openBrowser(options, await openDataFolder(options.data), terminal);
  closing.defer(() => browser.close());
  const [host] = browser.surfaces();
  if (host === undefined) throw new Error('The browser was closed before anything was recorded.');
  const recorder = await recordWalk(host, say.step);
  terminal.printError('Do it once in the browser, then press Enter here.');
  await Promise.race([untilDone(terminal, host), ending.asked]);
  const recording = await stopped(recorder);
  if (recording.steps.length === 0)
    throw new Error('Nothing was done in the browser, so nothing is written.');
  const { map, walk, remarks } = recordedMap(
    recording,
    options.name === undefined ? {} : { name: options.name },
  );
  const renamed = (tool: string): RecordedWalk => ({
    ...walk,
    calls: walk.calls.map((call) => ({ ...call, tool })),
  });
  const written = await target.write(map, (tool) => walkText(renamed(tool)));
  say.written({ ...written, remarks });
  if (options.replay !== true) return 0;
  // Awaited here, because the browser is closed on return.
  return await replay(options.file, renamed(written.tool), browser, say, terminal);
}

/** Enter may be pressed while a page is still loading. */
async function stopped(recorder: WalkRecorder, attempts = 3): Promise<Recording> {
  try {
    return await recorder.stop();
  } catch (error) {
    if (!(error instanceof DocumentLeft) || attempts === 1) throw error;
    return stopped(recorder, attempts - 1);
  }
}

/** In the same browser: a tool must also work on a used page. */
async function replay(
  file: string,
  walk: RecordedWalk,
  browser: CdpBrowser,
  say: Words,
  terminal: Terminal,
): Promise<ExitCode> {
  await using closing = new AsyncDisposableStack();
  const asker = createTerminalAsker({ ...terminal, print: terminal.printError });
  closing.defer(asker.close);
  const live = openLiveBridge({ browser, asker, maps: openMapFolder({ files: [resolve(file)] }) });
  closing.defer(live.close);
  const { runtime_id, ready } = await live.announced();
  const call = (name: string, args: Readonly<Record<string, unknown>>) =>
    live.bridge.call({ name, arguments: { ...args }, runtime_id }).output;
  try {
    const [answer] = await replayWalk(walk, {
      goto: async (path) => void (await call('browser.navigate', { url: new URL(path, ready.url).href })),
      call,
    });
    say.replayed({ ok: true, output: answer });
    return 0;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    say.replayed({
      ok: false,
      message: error.message,
      ...(error instanceof BridgeError && { code: error.code, evidence: error.evidence }),
    });
    return 1;
  }
}

type Written = Awaited<ReturnType<RecordedFile['write']>> & { readonly remarks: readonly string[] };

type Replayed =
  | { readonly ok: true; readonly output: unknown }
  | { readonly ok: false; readonly message: string; readonly code?: string; readonly evidence?: object };

interface Words {
  readonly step: (step: RecordedStep) => void;
  readonly written: (written: Written) => void;
  readonly replayed: (replayed: Replayed) => void;
}

const jsonWords = ({ print }: Terminal): Words => ({
  step: ({ kind, element, url }) =>
    print(JSON.stringify({ event: 'step', kind, role: element.role, name: element.name, url })),
  written: (written) => print(JSON.stringify({ event: 'written', ...written })),
  replayed: (replayed) => print(JSON.stringify({ event: 'replayed', ...replayed })),
});

function plainWords(terminal: Terminal): Words {
  const { print } = terminal;
  const paint = paintFor(terminal);
  const lines = (text: string) => {
    for (const line of wrap(plainText(text, MAX_SHOWN_CHARS), widthOf(terminal), '  ')) print(line);
  };
  return {
    step: ({ kind, element }) => lines(`${kind} ${element.role} “${element.name || element.tag}”`),
    written({ file, walk, tool, replaced, remarks }) {
      print(`${paint.good(replaced ? 'replaced' : 'written')} ${tool} in ${file}`);
      print(`  its test: ${walk}`);
      for (const remark of remarks) lines(remark);
    },
    replayed(replayed) {
      if (replayed.ok) print(`${paint.good('replayed')} ${JSON.stringify(replayed.output)}`);
      else {
        print(`${paint.bad('replay failed')}${replayed.code === undefined ? '' : `: ${replayed.code}`}`);
        lines(replayed.message);
      }
    },
  };
}
