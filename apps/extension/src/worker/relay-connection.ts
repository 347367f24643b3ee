import { createMutex } from '@drawbridge/base';
import { connectWebSocket, type ItemLink, type LinkState } from '@drawbridge/link';
import { type ActionCall, BridgeError, type BridgeItem } from '@drawbridge/protocol';
import type { Pairing } from '../wire.ts';
import { openStoredValue, type StoredValue } from './stored-value.ts';

/** State of a connection that survives a worker restart. */
interface LineMemory {
  readonly connection_id: string | null;
  /** Number of received items. */
  readonly received: number;
  /** Unanswered calls, by id. */
  readonly calls: Readonly<Record<string, string>>;
  /** Open prompts of these calls. */
  readonly questions: readonly string[];
}

export interface RelayLineOptions {
  readonly pairing: Pairing;
  readonly tabId: number;
  readonly runtimeId: string;
  readonly receive: (item: BridgeItem) => void;
  /** The stream started over: announce the runtime again. */
  readonly announce: () => void;
  readonly onState: (state: LinkState) => void;
  /** A question was sent, answered or withdrawn. */
  readonly onQuestions: () => void;
}

/** Connection of one lent tab to the relay's runtime endpoint. Survives worker restarts. */
export type RelayLine = Awaited<ReturnType<typeof openRelayLine>>;

/** Below the 30 s after which Chrome stops a silent worker. */
const HEARTBEAT_MS = 15_000;
const GOODBYE_MS = 10_000;
const LISTEN_MS = 250;
const NOTHING: LineMemory = { connection_id: null, received: 0, calls: {}, questions: [] };

const keyOf = (tabId: number): string => `line:${tabId}`;

export async function openRelayLine(options: RelayLineOptions) {
  const { pairing, tabId, runtimeId, receive, announce, onState, onQuestions } = options;
  const memory: StoredValue<LineMemory> = await openStoredValue('session', keyOf(tabId), trustMemory);
  const { connection_id, received, calls, questions } = memory.get();
  /** BRG-36: calls of a stopped worker, answered once after the reconnect. */
  let orphans = Object.entries(calls);
  let unanswerable = questions;
  const link = dial(pairing, { connection_id, received });
  const remember = (change: Partial<LineMemory>) => memory.set({ ...memory.get(), ...change });
  const counted = () => remember({ received: memory.get().received + 1 });
  const began = ({ call_id, name }: ActionCall) =>
    remember({
      received: memory.get().received + 1,
      calls: { ...memory.get().calls, [call_id]: name },
    });
  const answered = (call_id: string) => {
    const { [call_id]: _, ...rest } = memory.get().calls;
    void remember({ calls: rest });
  };

  const asked = (question_id: string, isOpen: boolean) => {
    const others = memory.get().questions.filter((each) => each !== question_id);
    void remember({ questions: isOpen ? [...others, question_id] : others });
    onQuestions();
  };

  const inTurn = createMutex();
  link.onItem((item) => {
    if (item.type === 'grant_answer') asked(item.question_id, false);
    // Stored before anything is done: a restarted worker must know its open calls.
    void inTurn(async () => {
      await (item.type === 'action_call' ? began(item) : counted());
      receive(item);
    });
  });
  link.onProblem(({ kind }) => {
    if (kind === 'refused') void inTurn(counted);
  });
  link.onState((state) => {
    if (state.kind === 'open') {
      if (!state.resumed) {
        void remember({ connection_id: state.connection_id ?? null, received: 0 });
        announce();
      }
    }
    onState(state);
  });

  const payOrphans = (): void => {
    // Withdraws prompts of calls that are over.
    for (const question_id of unanswerable) {
      link.send({ type: 'grant_withdrawn', question_id });
      asked(question_id, false);
    }
    unanswerable = [];
    const owed = orphans;
    orphans = [];
    for (const [call_id, name] of owed) {
      link.send(stopped(call_id, name, runtimeId));
      answered(call_id);
    }
  };

  return {
    state: (): LinkState => link.state,
    /** Open questions of this tab, by id. */
    questions: (): readonly string[] => memory.get().questions,
    send(item: BridgeItem): void {
      // A late answer of ours is the only one.
      if ('call_id' in item && item.call_id !== undefined && isAnswer(item)) {
        link.send(item);
        answered(item.call_id);
        return;
      }
      link.send(item);
      if (item.type === 'grant_question') asked(item.question.question_id, true);
      else if (item.type === 'grant_withdrawn') asked(item.question_id, false);
      else if (item.type === 'runtime_ready') payOrphans();
    },
    /** Permanent: the tab is released, or the relay has changed. */
    async close(): Promise<void> {
      link.close();
      await chrome.storage.session.remove(keyOf(tabId));
    },
  };
}

const isAnswer = ({ type }: BridgeItem): boolean => type === 'action_call_output' || type === 'action_error';

/** Reports a tab that was closed while no worker ran at once, before the relay's timeout. */
export async function endRelayLine(pairing: Pairing, tabId: number, runtimeId: string): Promise<void> {
  const key = keyOf(tabId);
  const { connection_id, received, calls } = trustMemory((await chrome.storage.session.get(key))[key]);
  await chrome.storage.session.remove(key);
  if (connection_id === null) return;
  const link = dial(pairing, { connection_id, received });
  link.onItem((item) => {
    if (item.type === 'action_call') link.send(stopped(item.call_id, item.name, runtimeId));
  });
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, GOODBYE_MS);
    link.onState(({ kind }) => {
      if (kind === 'connecting') return;
      clearTimeout(timer);
      resolve();
    });
  });
  if (link.state.kind === 'open') {
    for (const [call_id, name] of Object.entries(calls)) link.send(stopped(call_id, name, runtimeId));
    // Waits for calls that arrived in between, and answers them too.
    await new Promise((resolve) => setTimeout(resolve, LISTEN_MS));
  }
  link.close();
}

function dial(
  { url, token }: Pairing,
  { connection_id, received }: Pick<LineMemory, 'connection_id' | 'received'>,
): ItemLink {
  return connectWebSocket({
    url: `${url.replace(/^http/, 'ws')}/ws/runtime`,
    token,
    heartbeatMs: HEARTBEAT_MS,
    ...(connection_id !== null && { resume: { connection_id, received } }),
  });
}

function stopped(call_id: string, name: string, runtime_id: string): BridgeItem {
  const message = `Chrome stopped the extension’s worker while ${name} ran. Look at the page before you call again: it may have been done.`;
  const evidence = { name, sent: true, reason: 'worker_stopped' };
  const error = new BridgeError('transport_failed', message, { evidence }).toJSON();
  return { type: 'action_error', call_id, runtime_id, error };
}

function trustMemory(value: unknown): LineMemory {
  const stored = value as Partial<LineMemory> | undefined;
  return { ...NOTHING, ...stored };
}
