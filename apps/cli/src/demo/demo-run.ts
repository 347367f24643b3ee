import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExitCode, Terminal } from '../command.ts';
import { listenForEnd } from '../live/ending.ts';
import { printLedgerSummary, whatNext, whereToRead } from './closing-summary.ts';
import { createDecisions } from './decisions.ts';
import { type DemoSetup, type DemoSetupOptions, openDemoSetup } from './demo-setup.ts';
import { runDemoTask } from './demo-task.ts';
import { createNarrator, type Narrator } from './narrator.ts';
import { playPurchase } from './purchase.ts';
import { playSteering } from './steering.ts';
import { welcome } from './welcome.ts';

export interface DemoOptions extends DemoSetupOptions {
  readonly fast: boolean;
  readonly keep: boolean;
  readonly json: boolean;
}

/** Chromium's children and the ledger's files are released a moment later. */
const REMOVAL = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 };

export async function runDemo(options: DemoOptions, terminal: Terminal): Promise<ExitCode> {
  await using closing = new AsyncDisposableStack();
  const ending = listenForEnd();
  closing.defer(ending.close);
  const stop = new AbortController();
  void ending.asked.then(() => stop.abort());
  const narrator = createNarrator(options, terminal, stop.signal);
  const folder = await mkdtemp(join(tmpdir(), 'drawbridge-demo-'));
  closing.defer(async () => {
    if (options.keep) narrator.print('kept', { data: folder }, 'act', `Kept: drawbridge up --data ${folder}`);
    else await rm(folder, REMOVAL);
  });
  const setup = await openDemoSetup(folder, options, terminal);
  closing.defer(setup.close);
  closing.defer(() => stop.abort());
  await Promise.race([ending.asked, play(setup, options, narrator, terminal).catch(fail)]);
  if (!options.auto) await ending.asked;
  if (stop.signal.aborted) terminal.printError('Ending the demo…');
  return 0;
}

function fail(cause: unknown): never {
  const message = cause instanceof Error ? cause.message : String(cause);
  throw new Error(`The demo failed. Run it again; if it fails again, report this:\n${message}`, {
    cause,
  });
}

async function play(
  setup: DemoSetup,
  options: DemoOptions,
  narrator: Narrator,
  terminal: Terminal,
): Promise<void> {
  await welcome(setup, options, narrator, terminal);
  const decide = createDecisions(setup.person, narrator, terminal, options);
  await playPurchase(setup, narrator, decide);
  await runDemoTask(setup, narrator, terminal);
  await playSteering(setup, narrator, decide, options.auto);
  await printLedgerSummary(setup, narrator);
  if (!options.auto) narrator.show(whereToRead(setup.data.path));
  narrator.show(whatNext(terminal));
  narrator.print('end', {}, 'act', options.auto ? 'The demo is over.' : STAYS);
}

const STAYS = 'The demo is over. Look around as long as you like. Press Ctrl-C to stop.';
