import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExitCode, Terminal } from '../command.ts';
import { listenForEnd } from '../live/ending.ts';
import { createDecisions } from './decisions.ts';
import { playErrand } from './errand.ts';
import { tellLedger, whatNext, whereToRead } from './last-words.ts';
import { createNarrator, type Narrator } from './narrator.ts';
import { playPurchase } from './purchase.ts';
import { openStage, type Stage, type StageWishes } from './stage.ts';
import { playSteering } from './steering.ts';
import { welcome } from './welcome.ts';

export interface DemoWishes extends StageWishes {
  readonly fast: boolean;
  readonly keep: boolean;
  readonly json: boolean;
}

/** Chromium's children and the ledger's files are released a moment later. */
const REMOVAL = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 };

export async function runDemo(wishes: DemoWishes, terminal: Terminal): Promise<ExitCode> {
  await using closing = new AsyncDisposableStack();
  const ending = listenForEnd();
  closing.defer(ending.close);
  const stop = new AbortController();
  void ending.asked.then(() => stop.abort());
  const narrator = createNarrator(wishes, terminal, stop.signal);
  const folder = await mkdtemp(join(tmpdir(), 'drawbridge-demo-'));
  closing.defer(async () => {
    if (wishes.keep) narrator.tell('kept', { data: folder }, 'act', `Kept: drawbridge up --data ${folder}`);
    else await rm(folder, REMOVAL);
  });
  const stage = await openStage(folder, wishes, terminal);
  closing.defer(stage.close);
  closing.defer(() => stop.abort());
  await Promise.race([ending.asked, play(stage, wishes, narrator, terminal).catch(fail)]);
  if (!wishes.auto) await ending.asked;
  if (stop.signal.aborted) terminal.printError('Ending the demo…');
  return 0;
}

function fail(cause: unknown): never {
  const message = cause instanceof Error ? cause.message : String(cause);
  throw new Error(`The demo failed. Run it again; if it fails again, report this:\n${message}`, {
    cause,
  });
}

async function play(stage: Stage, wishes: DemoWishes, narrator: Narrator, terminal: Terminal): Promise<void> {
  await welcome(stage, wishes, narrator, terminal);
  const decide = createDecisions(stage.person, narrator, terminal, wishes);
  await playPurchase(stage, narrator, decide);
  await playErrand(stage, narrator, terminal);
  await playSteering(stage, narrator, decide, wishes.auto);
  await tellLedger(stage, narrator);
  if (!wishes.auto) narrator.show(whereToRead(stage.data.path));
  narrator.show(whatNext(terminal));
  narrator.tell('end', {}, 'act', wishes.auto ? 'The demo is over.' : STAYS);
}

const STAYS = 'The demo is over. Look around as long as you like. Press Ctrl-C to stop.';
