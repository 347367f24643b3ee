import { setTimeout as passed } from 'node:timers/promises';
import { connectWebSocket } from '@drawbridge/link';
import type { ActionCall } from '@drawbridge/protocol';
import type { SeededRandom } from '@drawbridge/testbed';
import { isAgentSession } from '../../src/approvals/prompt-asker.ts';
import { openPeer } from '../server/test-relay.ts';
import { mcp } from '../threads/thread-harness.ts';

/** The page, the agent and the person, over all lives of the relay. */
export interface ThreadRecord {
  /** Presses on the page, by the id of the element; each id is asked for once. */
  readonly pressed: Map<string, number>;
  /** Ids that a person refused. */
  readonly denied: Set<string>;
  /** Ids whose agent was told that it is done. */
  readonly done: Set<string>;
  readonly sent: string[];
  session_id: string | undefined;
  /** How many of `sent` were compared with the conversation. */
  checked: number;
  /** Whether the person has the browser; undefined while the answer to a change is missing. */
  paused: boolean | undefined;
}

export interface ThreadTokens {
  readonly person: string;
  readonly agent: string;
  readonly runtime: string;
}

interface Life {
  readonly url: string;
  readonly tokens: ThreadTokens;
  readonly random: SeededRandom;
  readonly record: ThreadRecord;
}

interface Tab extends Pick<Life, 'url' | 'random'> {
  readonly tokens: Pick<ThreadTokens, 'runtime'>;
  readonly record: Pick<ThreadRecord, 'pressed'>;
  /** Whether every press is answered. */
  readonly isPatient?: boolean;
}

/** The tab: presses, asks first, answers late or never. */
export function joinTab({ url, tokens, random, record, isPatient = false }: Tab): () => void {
  const runtime_id = 'tab_1';
  const link = connectWebSocket({ url: `${url.replace('http', 'ws')}/ws/runtime`, token: tokens.runtime });
  const asked = new Map<string, ActionCall>();
  let isOpen = true;
  const answer = (call: ActionCall): void => {
    const { call_id } = call;
    link.send({ type: 'action_call_output', call_id, runtime_id, output: { effect: {} } });
  };
  const press = (call: ActionCall): void => {
    const id = String(call.arguments['id']);
    record.pressed.set(id, (record.pressed.get(id) ?? 0) + 1);
    const way = random.int(0, 9);
    if (way < 6) answer(call);
    else if (way < 9 || isPatient) setTimeout(() => isOpen && answer(call), random.int(1, 60));
  };
  link.onItem((item) => {
    if (item.type === 'grant_answer') {
      const call = asked.get(item.question_id);
      asked.delete(item.question_id);
      if (call === undefined) return;
      if (item.decision !== 'deny') return press(call);
      const error = { code: 'permission_denied', message: 'A person refused it.' };
      link.send({ type: 'action_error', call_id: call.call_id, runtime_id, error });
    }
    if (item.type === 'action_cancel' && asked.delete(item.call_id))
      link.send({ type: 'grant_withdrawn', question_id: item.call_id });
    if (item.type !== 'action_call') return;
    if (item.name !== 'element.click') {
      link.send({
        type: 'action_call_output',
        call_id: item.call_id,
        runtime_id,
        output: { text: 'A lamp.' },
      });
      return;
    }
    if (random.int(0, 2) > 0) return press(item);
    const { call_id, name } = item;
    asked.set(call_id, item);
    const sentence = `Press ${String(item.arguments['id'])}.`;
    const about = { origin: 'https://shop.example', name, effect: 'irreversible' as const, sentence };
    const question = {
      question_id: call_id,
      call_id,
      call_hash: call_id,
      timeout_ms: 600_000,
      data: [],
      ...about,
    };
    link.send({ type: 'grant_question', runtime_id, question });
  });
  link.onState(({ kind }) => {
    if (kind !== 'open') return;
    link.send({
      ...{ type: 'runtime_ready', runtime_id, runtime_key: 'key_1', url: 'https://shop.example/lamps' },
      ...{ title: 'Lamps', capabilities: ['page.read', 'element.click'], features: ['questions'] },
    });
  });
  return () => {
    isOpen = false;
    link.close();
  };
}

/** A person's screen, who answers most questions, takes over and hands back. */
export async function joinPerson({ url, tokens, random, record }: Life) {
  const screen = await openPeer(url, { token: tokens.person, device_id: '', role: 'person' });
  screen.send({ type: 'connection_hello', peer_role: 'browser', client_name: 'test' });
  const ack = await screen.next('connection_ack');
  let answers = 0;
  /** A question about a call that was just cancelled is asked in the session of its browser. */
  const meet = (session_id: string): void => {
    if (isAgentSession(session_id)) record.session_id = session_id;
  };
  const answerPrompts = async (): Promise<void> => {
    for (;;) {
      const prompt = await screen.next('permission_prompt');
      const { session_id } = prompt;
      meet(session_id);
      const choice = random.int(0, 3);
      const [, id = ''] = /Press (p\d+)\./.exec(prompt.prompt_text) ?? [];
      if (choice === 0) continue;
      if (choice === 1) record.denied.add(id);
      answers += 1;
      screen.send({
        ...{ type: 'permission_response', request_id: `answer_${answers}`, session_id },
        ...{ prompt_id: prompt.prompt_id, choice_id: choice === 1 ? 'deny' : 'once' },
      });
    }
  };
  const notice = async (): Promise<void> => {
    for (;;) meet((await screen.next('message_event')).session_id);
  };
  answerPrompts().catch(() => undefined);
  notice().catch(() => undefined);
  const order = async (what: 'takeover' | 'handback'): Promise<void> => {
    const { session_id } = record;
    if (session_id === undefined) return;
    const before = record.paused;
    record.paused = undefined;
    const answer = await fetch(`${url}/api/sessions/${session_id}/browser/${what}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tokens.person}` },
    });
    record.paused = answer.status === 204 ? what === 'takeover' : before;
  };
  return { ack, order };
}

/** Without it a busy machine gets calls faster than it answers them, and the backlog outlives the test. */
const MOST_IN_FLIGHT = 8;

/** The agent: each press has another id, and is asked for once. */
export async function playAgent({ url, tokens, random, record }: Life): Promise<void> {
  const inFlight = new Set<Promise<void>>();
  for (let round = 0; round < 1_000; round += 1) {
    while (inFlight.size >= MOST_IN_FLIGHT) await Promise.race(inFlight);
    const id = `p${record.sent.length}`;
    const isPress = random.int(0, 3) > 0;
    if (isPress) record.sent.push(id);
    const answered = (
      isPress
        ? mcp({ url }, tokens.agent, 'act', { steps: [{ do: 'click', id }] })
        : mcp({ url }, tokens.agent, 'read')
    ).then(({ text }) => {
      if (isPress && text.includes(`click ${id} ok`)) record.done.add(id);
    });
    inFlight.add(answered);
    const forget = () => void inFlight.delete(answered);
    answered.then(forget, forget);
    // A question or a takeover may hold it: the agent's other calls go on.
    await Promise.race([answered, passed(random.int(5, 80))]);
  }
}
