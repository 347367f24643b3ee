import { resolve } from 'node:path';
import { type Asker, BridgeError } from '@drawbridge/protocol';
import { openMapFolder } from '@drawbridge/runtime/node';
import { plainText } from '../ask/plain-text.ts';
import { createTerminalAsker } from '../ask/terminal-asker.ts';
import type { ExitCode, Terminal } from '../command.ts';
import { openDataFolder } from '../live/data-folder.ts';
import { listenForEnd } from '../live/ending.ts';
import type { BrowserOptions } from '../live/live-arguments.ts';
import { openLiveBridge } from '../live/live-bridge.ts';
import { openBrowser } from '../live/live-browser.ts';
import { paintFor, widthOf, wrap } from './paint.ts';

export interface ToolRunOptions extends BrowserOptions {
  readonly file: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly json?: boolean | undefined;
  readonly yes?: boolean | undefined;
  readonly trace?: boolean | undefined;
}

/** Time for a person to approve. */
const RUN_MS = 120_000;
const MAX_SHOWN_CHARS = 400;

export async function runTool(options: ToolRunOptions, terminal: Terminal): Promise<ExitCode> {
  const { file, tool, input, trace } = options;
  await using closing = new AsyncDisposableStack();
  const ending = listenForEnd();
  closing.defer(ending.close);
  const report = options.json === true ? jsonReport(tool, terminal) : wordReport(tool, terminal);
  const browser = await openBrowser(options, await openDataFolder(options.data), terminal);
  closing.defer(() => browser.close());
  const asking = createTerminalAsker({ ...terminal, print: terminal.printError });
  closing.defer(asking.close);
  const live = openLiveBridge({
    browser,
    maps: openMapFolder({ files: [resolve(file)] }),
    asker: options.yes === true ? allowing(terminal) : asking,
    ...(trace === true && { traffic: (direction, item) => report.item(direction, item) }),
  });
  closing.defer(live.close);
  const { runtime_id } = await live.announced();
  const call = live.bridge.call(
    { name: tool, arguments: { ...input }, runtime_id, timeout_ms: RUN_MS },
    { onProgress: ({ step }) => step !== undefined && report.step(step) },
  );
  void ending.asked.then(() => call.cancel('stopped in the terminal'));
  try {
    report.output(await call.output);
    return 0;
  } catch (error) {
    if (!(error instanceof BridgeError)) throw error;
    report.failure(error);
    return 1;
  }
}

function allowing(terminal: Terminal): Asker {
  return {
    async ask({ call_hash, sentence }) {
      terminal.printError(`Allowed because of --yes: ${plainText(sentence, MAX_SHOWN_CHARS)}`);
      return { decision: 'once', call_hash, by: '--yes' };
    },
  };
}

interface Report {
  readonly step: (step: string) => void;
  readonly item: (direction: 'in' | 'out', item: object) => void;
  readonly output: (output: unknown) => void;
  readonly failure: (error: BridgeError) => void;
}

const jsonReport = (tool: string, { print }: Terminal): Report => ({
  step: (step) => print(JSON.stringify({ event: 'step', step })),
  item: (direction, item) => print(JSON.stringify({ event: 'item', direction, item })),
  output: (output) => print(JSON.stringify({ ok: true, tool, output })),
  failure: (error) => print(JSON.stringify({ ok: false, tool, ...error.toJSON() })),
});

/** Standard output has only results, for pipes. */
function wordReport(tool: string, terminal: Terminal): Report {
  const { print, printError } = terminal;
  const paint = paintFor(terminal);
  return {
    step: (step) => printError(paint.quiet(`  ${plainText(step, MAX_SHOWN_CHARS)}`)),
    item: (direction, item) =>
      printError(paint.quiet(`${direction === 'in' ? '→' : '←'} ${JSON.stringify(item)}`)),
    output: (output) => print(JSON.stringify(output, undefined, 2)),
    failure({ code, message, evidence }) {
      printError(`${paint.bad('failed')} ${tool}: ${code}`);
      for (const line of wrap(plainText(message, MAX_SHOWN_CHARS), widthOf(terminal), '  ')) printError(line);
      for (const [name, value] of Object.entries(evidence))
        printError(paint.quiet(`  ${name}: ${plainText(JSON.stringify(value), MAX_SHOWN_CHARS)}`));
    },
  };
}
