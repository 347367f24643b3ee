import { DEMO_AGENT } from '../proxy/agent-adapters.ts';
import type { Decide } from './decisions.ts';
import type { DemoSetup } from './demo-setup.ts';
import type { Narrator } from './narrator.ts';
import { DEMO_MACHINE } from './scripted-proxy.ts';

const WORDS = 'Order another table lamp on invoice, note it in expenses.md, and run the tests.';
const READING_MS = 2_500;
/** Time for a person to type or press Stop in the web app. */
const PERSON_TIMEOUT_MS = 12_000;

/** A coding agent works in the browser and in its folder; a person permits a step and stops it. */
export async function playSteering(
  { person, relay, shop }: DemoSetup,
  narrator: Narrator,
  decide: Decide,
  auto: boolean,
): Promise<void> {
  const { print, pause, wait } = narrator;
  const { link, event } = person;
  print('act', { act: 'steering' }, 'act', '3. A coding agent with the browser, in one conversation');
  // The task left teapots in the cart: they would be ordered with the lamp.
  shop.emptyCarts();
  const option = {
    ...{ agent_type: DEMO_AGENT, machine_label: DEMO_MACHINE, window_title: 'Web shop' },
    ...{ browser: true, browser_origins: [shop.url] },
  };
  const { session_id } = await link.request({ type: 'launch_session', ...option });
  print(
    'launched',
    { session_id },
    'done',
    'The agent starts on this machine, behind a proxy that only dials out.',
  );
  const isHere = (each: { readonly session_id: string }): boolean => each.session_id === session_id;

  const typed = event('message_accepted', isHere);
  const isWatched = !auto && (await isSomebodyThere(relay));
  /** Resolves when the person has acted, or the time is over. */
  const yourTurn = async (done: Promise<unknown>, sentence: string): Promise<void> => {
    print('your_turn', { session_id }, 'wait', sentence);
    await Promise.race([done, wait(PERSON_TIMEOUT_MS)]);
  };
  if (isWatched) await yourTurn(typed, 'Write to “Web shop”, or wait: the demo will.');
  const tick = (stage: string, sentence: string): void =>
    print('message', { session_id, stage }, 'done', sentence);
  if (!(await isSettled(typed))) {
    link.sendMessage({ session_id, content: WORDS });
    tick('queued', `“${WORDS}” is on its way.`);
  }
  const { client_message_id } = await typed;
  tick('accepted', 'Accepted: the relay has it on disk.');
  await event('message_delivered', (each) => each.client_message_id === client_message_id);
  tick('delivered', 'Delivered: the agent has it.');
  await event('message_event', ({ message, ...each }) => isHere(each) && message.role === 'assistant');
  tick('started', 'Started: the agent replies with what it will do next.');
  await pause(READING_MS);

  const prompt = await event('permission_prompt', isHere);
  await decide(prompt, 'The agent wants to place the order, and asks in the same conversation.');
  const becomes = (after: number, ...kinds: readonly string[]) =>
    event(
      'session_status',
      ({ sequence, activity, ...each }) =>
        isHere(each) && sequence > after && kinds.includes(activity?.kind ?? ''),
    );
  // Idle: the person stopped it instead.
  const { sequence, activity } = await becomes(prompt.sequence, 'running_command', 'idle');
  if (activity?.kind === 'running_command') {
    print('working', { session_id }, 'done', 'The agent goes on working.');
    const stopped = becomes(sequence, 'idle');
    if (isWatched) await yourTurn(stopped, 'Press Stop in “Web shop”, or wait: the demo will.');
    else await Promise.race([stopped, pause(READING_MS)]);
    if (!(await isSettled(stopped))) await link.request({ type: 'agent_interrupt', session_id });
    await stopped;
  }
  print('interrupted', { session_id }, 'done', 'Stopped mid-command. The agent is idle.');
  await pause(READING_MS);
}

/** A device that was paired by the link. */
async function isSomebodyThere({ devices }: DemoSetup['relay']): Promise<boolean> {
  const all = await devices.list();
  return all.some(
    ({ roles, device_id }) => roles.includes('owner') && device_id !== devices.owner?.device_id,
  );
}

async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const pending = Symbol('pending');
  return (await Promise.race([promise, Promise.resolve(pending)])) !== pending;
}
