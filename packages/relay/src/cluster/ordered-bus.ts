import type { Ledger } from '@drawbridge/ledger';
import { createFeed } from '../core/feed.ts';
import type { Bus, BusListener, BusMessage, CoreClock } from '../core/ports.ts';

export interface OrderedBusOptions {
  readonly bus: Bus;
  readonly ledger: Ledger;
  readonly clock: CoreClock;
  readonly onError: (error: unknown) => void;
}

export interface OrderedBus {
  readonly bus: Bus;
  /** Reads from the ledger what the bus missed. */
  readonly resync: () => Promise<void>;
  readonly close: () => void;
}

/**
 * Bus for leader services whose people are also on other nodes: delivers each event once and in order, like
 * the bus of a single relay, because a person would see a lost or repeated push notification.
 */
export async function openOrderedBus({
  bus,
  ledger,
  clock,
  onError,
}: OrderedBusOptions): Promise<OrderedBus> {
  const listeners = new Set<BusListener>();
  const early: BusMessage[] = [];
  const timers = new Set<() => void>();
  const after: CoreClock['after'] = (ms, run) => {
    const cancel = clock.after(ms, () => {
      timers.delete(cancel);
      run();
    });
    timers.add(cancel);
    return cancel;
  };
  let receive = (message: BusMessage): void => void early.push(message);
  const stop = bus.onMessage((message) => receive(message));
  const heads = await ledger.heads();
  const emit = (message: BusMessage): void => {
    for (const listener of [...listeners]) listener(message, () => {});
  };
  const feed = createFeed({
    ...{ ledger, bus, after, onError },
    heads: new Map(heads.map(({ session_id, head }) => [session_id, head])),
    run: (work) => void work.catch(onError),
  });
  feed.listen({
    onEvent: (event) => emit({ kind: 'appended', session_id: event.session_id, events: [event] }),
    onGone: () => {},
  });
  const reach = (session_id: string, head: number): void => {
    if (feed.head(session_id) < head) feed.reach(session_id, head)?.catch(onError);
  };
  receive = (message) => {
    if (message.kind === 'heartbeat')
      for (const { session_id, head } of message.heads) reach(session_id, head);
    if (message.kind !== 'appended') return emit(message);
    const { session_id, events } = message;
    // Deleted and announced again, which only this node does.
    if (events[0]?.sequence === 1 && feed.head(session_id) > 0) feed.begin(session_id);
    feed.offer(session_id, events);
  };
  for (const message of early) receive(message);

  return {
    bus: {
      publish: bus.publish,
      request: bus.request,
      onMessage(listener) {
        listeners.add(listener);
        return () => {
          listeners.delete(listener);
        };
      },
    },
    async resync() {
      for (const { session_id, head } of await ledger.heads()) reach(session_id, head);
    },
    close() {
      stop();
      listeners.clear();
      for (const cancel of timers) cancel();
    },
  };
}
