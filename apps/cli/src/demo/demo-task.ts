import { stepActionOf } from '@drawbridge/protocol/sentences';
import { plainText } from '../ask/plain-text.ts';
import type { Terminal } from '../command.ts';
import { counted } from '../map/paint.ts';
import { followedEvents } from '../task/event-stream.ts';
import { replayTask } from '../task/replay-run.ts';
import { taskPath } from '../task/task-view.ts';
import type { DemoSetup } from './demo-setup.ts';
import type { Narrator } from './narrator.ts';

const PROMPT = 'set the quantity to 2, click Add to cart and open the cart';
const READING_MS = 2_000;

/** A task decided by rules; then its replay from the trace. */
export async function runDemoTask(setup: DemoSetup, narrator: Narrator, terminal: Terminal): Promise<void> {
  const { owner, shop, data, runtime } = setup;
  const { print, pause } = narrator;
  print('act', { act: 'task' }, 'act', `2. A task, decided by rules: “${PROMPT}”`);
  const tab = runtime();
  const url = `${shop.url}/products/clay-teapot`;
  const body = { prompt: PROMPT, url, ...(tab !== undefined && { runtime: tab }) };
  const task = await owner.call('POST /api/tasks', { body });
  const { task_id, session_id } = task;
  for await (const followed of followedEvents(await owner.open(`${taskPath(task)}/events`))) {
    const details = followed.kind === 'event' ? followed.event.details : undefined;
    if (details?.kind === 'step' && details.status === 'ok') {
      const action = plainText(stepActionOf(details.action, details.subject), 80);
      print('task_step', { task_id, action: details.action }, 'done', `${action}.`);
    }
    if (followed.kind !== 'end') continue;
    const { state, error } = followed.task;
    if (state !== 'completed') throw new Error(`The task ended as ${state}. ${error?.message ?? ''}`.trim());
    print('task_done', { task_id, session_id, state }, 'done', 'Done, without a model.');
  }
  await pause(READING_MS);
  const lines: string[] = [];
  const options = { meant: task_id, runtime: runtime(), json: true };
  const code = await replayTask(data.path, options, { ...terminal, print: (line) => lines.push(line) });
  const { done, problem } = trustReport(lines.at(-1) ?? '{}');
  if (code !== 0) throw new Error(`The replay failed: ${problem?.message ?? 'reason unknown'}`);
  print(
    'replayed',
    { task_id, done },
    'done',
    `Its steps were saved. Replayed from that trace: ${counted(done, 'step')}.`,
  );
  await pause(READING_MS);
}

/** The last line of `task replay --json`. */
const trustReport = (
  line: string,
): { readonly done: number; readonly problem?: { readonly message: string } } => JSON.parse(line);
