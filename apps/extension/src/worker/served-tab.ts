import { type LinkState, systemClock } from '@drawbridge/link';
import type { Evaluator } from '@drawbridge/manifest';
import {
  type ActionCall,
  type BridgeError,
  type BridgeItem,
  BridgeError as Failure,
} from '@drawbridge/protocol';
import {
  type ControlPlane,
  createRuntime,
  type GrantBook,
  type LocalNetwork,
  type MapSource,
  type OfferedAddresses,
  type Runtime,
} from '@drawbridge/runtime';
import type { BodyCall } from '@drawbridge/runtime/task';
import type { ChromeTab } from '../tabs/chrome-tab.ts';
import type { Claim } from '../tabs/claim.ts';
import type { Pairing } from '../wire.ts';
import { openRelayLine, type RelayLine } from './relay-connection.ts';

export interface ServedTabOptions {
  readonly claim: Claim;
  readonly host: ChromeTab;
  readonly maps: MapSource;
  readonly grants: GrantBook;
  readonly evaluator: Evaluator;
  readonly controlPlane: ControlPlane;
  readonly localNetwork: LocalNetwork;
  readonly offered: OfferedAddresses;
  readonly onLine: (state: LinkState) => void;
  readonly onQuestions: () => void;
  /** Called with a description of the running action. */
  readonly onDoing: (doing: string | undefined) => void;
}

/** One lent tab as a runtime, for the relay and for local tasks. */
export interface ServedTab {
  readonly claim: Claim;
  readonly host: ChromeTab;
  readonly line: () => RelayLine | undefined;
  /** Connects it to a relay, or disconnects it. */
  readonly connect: (pairing: Pairing | null) => Promise<void>;
  /** A call from inside the extension, on the same path as an agent's. */
  readonly call: BodyCall;
  readonly close: () => Promise<void>;
}

const LONGEST_START_MS = 10_000;

export function serveTab(options: ServedTabOptions): ServedTab {
  const { claim, host, maps, grants, evaluator, controlPlane, localNetwork, offered } = options;
  const { onLine, onQuestions, onDoing } = options;
  const waiting = new Map<string, (answer: BridgeItem) => void>();
  const running = new Map<string, string>();
  let line: RelayLine | undefined;

  const doing = (change: () => void) => {
    change();
    onDoing([...running.values()].at(-1));
  };
  const isAnswer = ({ type }: BridgeItem) => type === 'action_call_output' || type === 'action_error';
  const send = (item: BridgeItem): void => {
    const callId = isAnswer(item) && 'call_id' in item ? item.call_id : undefined;
    if (callId !== undefined) doing(() => running.delete(callId));
    const local = callId === undefined ? undefined : waiting.get(callId);
    if (local !== undefined) local(item);
    else if (line !== undefined) line.send(item);
    else if (item.type === 'grant_question') throw notPaired();
    if (item.type === 'runtime_ready' && early !== undefined) begin();
  };
  /** Buffers items until the map is loaded again: its tools could not be called before. */
  let early: BridgeItem[] | undefined = [];
  const begin = () => {
    const waited = early ?? [];
    early = undefined;
    for (const item of waited) receive(item);
  };
  setTimeout(begin, LONGEST_START_MS);
  const receive = (item: BridgeItem): void => {
    if (early !== undefined) {
      early.push(item);
      return;
    }
    if (item.type === 'action_call') doing(() => running.set(item.call_id, item.name));
    runtime.receive(item);
  };
  const runtime: Runtime = createRuntime({
    runtimeId: claim.runtimeId,
    authorizationId: claim.authorizationId,
    host,
    maps,
    grants,
    evaluator,
    controlPlane,
    localNetwork,
    offered,
    clock: systemClock,
    newId: () => crypto.randomUUID(),
    send,
  });

  return {
    claim,
    host,
    line: () => line,
    async connect(pairing) {
      await line?.close();
      line = undefined;
      if (pairing === null) return;
      line = await openRelayLine({
        pairing,
        tabId: claim.tabId,
        runtimeId: claim.runtimeId,
        receive,
        announce: () => runtime.announce(),
        onState: onLine,
        onQuestions,
      });
      runtime.announce();
    },
    call: (name, args, signal, timeout_ms) =>
      new Promise((resolve, reject) => {
        const call_id = `local-${crypto.randomUUID()}`;
        const cancel = () => runtime.receive({ type: 'action_cancel', call_id });
        waiting.set(call_id, (answer) => {
          waiting.delete(call_id);
          signal.removeEventListener('abort', cancel);
          if (answer.type === 'action_call_output') resolve(answer.output);
          else reject(errorOf(answer));
        });
        signal.addEventListener('abort', cancel, { once: true });
        const call: ActionCall = {
          type: 'action_call',
          call_id,
          name,
          arguments: { ...args },
          ...(timeout_ms !== undefined && { timeout_ms }),
        };
        receive(call);
      }),
    async close() {
      await runtime.close();
      await line?.close();
      line = undefined;
    },
  };
}

function errorOf(item: BridgeItem): BridgeError {
  const { code, message, evidence = {} } = item.type === 'action_error' ? item.error : NO_ANSWER;
  return new Failure(trustCode(code), message, { evidence });
}

const NO_ANSWER = { code: 'handler_failed', message: 'The tab answered with something else.', evidence: {} };

function trustCode(code: string): BridgeError['code'] {
  return code as BridgeError['code'];
}

const notPaired = (): BridgeError =>
  new Failure(
    'transport_failed',
    'The extension is not paired with a relay, so nobody can be asked. Pair it.',
  );
