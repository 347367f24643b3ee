import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as passed } from 'node:timers/promises';
import type { Relay } from '@drawbridge/relay';
import type { Terminal } from '../command.ts';
import { type DataFolder, openDataFolder } from '../live/data-folder.ts';
import { createDecisions } from './decisions.ts';
import { type DemoSetup, fillDemoSetup } from './demo-setup.ts';
import { runDemoTask } from './demo-task.ts';
import type { Narrator } from './narrator.ts';
import { playPurchase } from './purchase.ts';
import { playSteering } from './steering.ts';

/** Chromium's children exit a moment later. */
const REMOVAL = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 };

/** Discards output: the web app shows the story. */
const NOWHERE: Terminal = { stdin: Readable.from([]), print: () => {}, printError: () => {} };

/** Events that end a part of the story. */
const OUTCOMES = ['ordered', 'no_order', 'replayed', 'interrupted'];

/** Plays the story once and removes its devices; its sessions stay. Stops silently when aborted. */
export async function playInRelay(
  relay: Relay,
  data: DataFolder,
  signal: AbortSignal,
  say: (sentence: string, isOutcome: boolean, launched?: string) => void,
): Promise<void> {
  await using closing = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'drawbridge-demo-'));
  closing.defer(() => rm(folder, REMOVAL));
  const own = await openDataFolder(folder);
  const setup = await fillDemoSetup({ relay, data, own, decider: 'the demo', window: false }, NOWHERE);
  closing.defer(setup.close);
  const wait = (ms: number): Promise<void> => passed(ms, undefined, { signal });
  const narrator: Narrator = {
    print(event, facts, _mark, sentence) {
      const launched = event === 'launched' && 'session_id' in facts ? String(facts.session_id) : undefined;
      say(sentence, OUTCOMES.includes(event), launched);
    },
    show: () => {},
    pause: wait,
    wait,
  };
  const told = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve());
  });
  await Promise.race([told, storyline(setup, narrator)]);
}

async function storyline(setup: DemoSetup, narrator: Narrator): Promise<void> {
  const decide = createDecisions(setup.person, narrator, NOWHERE, {
    auto: false,
    where: 'Decide under “Needs you”.',
  });
  await playPurchase(setup, narrator, decide);
  const { source } = await setup.owner.call('GET /api/settings/model');
  // A configured model would cost money and does not know the story.
  if (source === 'rules') await runDemoTask(setup, narrator, NOWHERE);
  await playSteering(setup, narrator, decide, false);
}
