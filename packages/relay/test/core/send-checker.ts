import { CHAT_PROTOCOL_VERSION } from '@drawbridge/protocol';
import fc from 'fast-check';
import { createPeer, type Peer } from '../../src/core/peer.ts';
import {
  FAILURES,
  type Send,
  type SendEvent,
  type SendOutcome,
  type stepSend,
  type storedSend,
} from '../../src/core/send.ts';

export interface SendMachine {
  readonly stepSend: typeof stepSend;
  readonly storedSend: typeof storedSend;
}

const proxyWith = (features: readonly string[]): Peer =>
  createPeer({
    connection_id: `proxy-${features.join()}`,
    kind: 'proxy',
    hello: {
      type: 'connection_hello',
      protocol_version: CHAT_PROTOCOL_VERSION,
      peer_role: 'proxy',
      client_name: 'test',
      features: [...features],
    },
    port: { identity: undefined, send: () => true, drained: () => Promise.resolve(), close: () => {} },
    now: () => 0,
    isOpen: () => true,
    onLagging: () => {},
  });

/** A proxy that answers a repeated send from its own record, and one that would inject it again. */
const PROXIES = [proxyWith(['resend']), proxyWith([])] as const;
const hasRecord = ({ features }: Peer): boolean => features.has('resend');

const WHEN = '2026-01-01T00:00:00.000Z';
const REPORTS: readonly SendOutcome[] = [
  { state: 'delivered', when: WHEN },
  { ...FAILURES.injection, when: WHEN },
];

/** One step of a world; numbers choose among what is possible there. */
export const steps = fc.array(
  fc.record({
    event: fc.constantFrom(
      ...(['accepted', 'leaving', 'counted', 'held_back', 'reported', 'timed_out', 'carrier_gone'] as const),
      ...(['proxy_back', 'session_closing', 'session_closed', 'expired', 'away'] as const),
    ),
    proxy: fc.constantFrom(...PROXIES),
    outcome: fc.constantFrom(...REPORTS),
    mayGo: fc.boolean(),
    isClosed: fc.boolean(),
    isOwn: fc.boolean(),
    isCounted: fc.boolean(),
  }),
  { maxLength: 30 },
);

export const starts = fc.oneof(
  fc.record({
    carrier: fc.constantFrom(undefined, ...PROXIES),
    fails: fc.boolean(),
  }),
  fc.record({ attempt: fc.nat({ max: 3 }) }),
);

type Start = typeof starts extends fc.Arbitrary<infer Value> ? Value : never;
type Steps = typeof steps extends fc.Arbitrary<infer Value> ? Value : never;

/** Runs one send through these steps beside a model of the ledger and the agent; returns broken rules. */
export function problemsOfSend(machine: SendMachine, start: Start, script: Steps): readonly string[] {
  const problems: string[] = [];
  const numbers = { chars: 1, sequence: 1 };
  let send: Send | undefined =
    'attempt' in start
      ? machine.storedSend({ ...numbers, attempt: start.attempt })
      : {
          state: 'accepting',
          chars: 1,
          sequence: Number.MAX_SAFE_INTEGER,
          event_id: 'own',
          payload: {},
          carrier: start.fails ? undefined : start.carrier,
          fails: start.fails,
        };
  /** The ledger's number of forwards, once it has accepted the send. */
  let attempt = 'attempt' in start ? start.attempt : 0;
  /** True when a proxy may have put the send into the agent. */
  let mayBeThere = attempt > 0;
  let isSettled = false;
  /** A late result, which the send itself does not know yet; the ledger refuses every other outcome. */
  let isLate = false;
  let lastSent = 0;

  const isLeaving = (): boolean => send !== undefined && 'isLeaving' in send && send.isLeaving;

  const apply = (event: SendEvent): void => {
    const before = send;
    const isBeingCounted = isLeaving() && event.type !== 'counted' && event.type !== 'held_back';
    const [after, effects] = machine.stepSend(send, event) ?? [send, []];
    send = after;
    for (const effect of effects) {
      if (effect.do === 'transmit') {
        if (isSettled) problems.push('transmitted after its outcome');
        if (mayBeThere && !hasRecord(effect.to)) problems.push('sent twice to a proxy without a record');
        if (effect.attempt <= lastSent) problems.push('sent twice with the same attempt');
        if (effect.attempt !== attempt) problems.push('sent with an attempt that the ledger does not have');
        lastSent = effect.attempt;
        mayBeThere = true;
      } else if (effect.do === 'settle') {
        if (effect.outcome.when !== undefined) {
          isLate ||= !isSettled && send?.state !== effect.outcome.state;
          isSettled ||= effect.attempt === attempt;
          continue;
        }
        const isUnknown = effect.outcome.state === 'failed' && effect.outcome.indeterminate === true;
        if (isBeingCounted) problems.push('settled while the ledger counts its forward');
        if (isSettled && !isLate) problems.push('settled twice');
        if (effect.attempt !== attempt)
          problems.push('settled with an attempt that the ledger does not have');
        if (mayBeThere && !isUnknown) problems.push('denied a send that may be in the agent');
        if (!mayBeThere && isUnknown) problems.push('doubts a send that never left');
        isSettled = true;
      }
    }
    const isDoubted = send?.state === 'in_doubt' && before?.state === 'in_flight';
    if (isDoubted && !effects.some((effect) => effect.do === 'watch'))
      problems.push('in doubt without a limit');
  };

  for (const { event, proxy, outcome, mayGo, isClosed, isOwn, isCounted } of script) {
    switch (event) {
      case 'accepted':
        if (send?.state !== 'accepting') break;
        attempt = isOwn && send.carrier !== undefined ? 1 : 0;
        isSettled = isOwn && send.fails;
        apply({ type: event, event_id: isOwn ? 'own' : 'other', sequence: 1, mayGo, isClosed });
        break;
      case 'leaving':
        if (!isLeaving()) apply({ type: event, to: proxy });
        break;
      case 'counted':
        if (!isLeaving() || isSettled || (mayBeThere && !hasRecord(proxy))) break;
        attempt += 1;
        apply({ type: event, attempt, payload: {}, to: proxy, mayGo, isClosed });
        break;
      case 'held_back':
        if (!isLeaving()) break;
        attempt += isCounted ? 1 : 0;
        apply({ type: event, ...(isCounted && { attempt }) });
        break;
      case 'reported':
        if (send?.state !== 'accepting') apply({ type: event, by: proxy, attempt, outcome });
        break;
      case 'proxy_back':
        apply({ type: event, proxy });
        break;
      default:
        apply({ type: event });
    }
  }

  // However it went, the end of the session settles the send.
  if (send?.state === 'accepting') return problems;
  if (isLeaving()) apply({ type: 'held_back' });
  apply({ type: 'session_closing' });
  apply({ type: 'session_closed' });
  if (!isSettled) problems.push('has no outcome');
  return problems;
}
