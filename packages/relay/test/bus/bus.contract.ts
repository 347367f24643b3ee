import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Bus, BusMessage, RelayEvent } from '../../src/core/ports.ts';

/** Several nodes' ends of one bus. */
export interface BusHarness {
  readonly join: () => Promise<Bus>;
}

export const eventOf = (session_id: string, sequence: number, text = ''): RelayEvent => ({
  session_id,
  sequence,
  event_id: `evt_${session_id}_${sequence}`,
  type: 'message_event',
  payload: { text },
  at: 1,
  message_id: null,
});

export const appended = (session_id: string, sequence: number, text = ''): BusMessage => ({
  kind: 'appended',
  session_id,
  events: [eventOf(session_id, sequence, text)],
});

const IDENTITY = {
  device_id: 'dev_1',
  roles: ['owner', 'person'],
  label: 'Phone',
  scopes: ['session:a b'],
} as const;

type Kind = BusMessage['kind'];
type Whole<Message> = { readonly [Field in keyof Message]-?: Message[Field] };

/** Each kind with every field, with values that a bus could corrupt: the type refuses a sample that lacks one. */
const WHOLE: { readonly [Each in Kind]: Whole<Extract<BusMessage, { kind: Each }>> } = {
  appended: {
    kind: 'appended',
    session_id: 'a session.with > odd * signs ✓',
    events: [eventOf('a session.with > odd * signs ✓', 1, '\u0000 "quoted" \u2028 ✓')],
  },
  grown: { kind: 'grown', session_id: 'a b', text: '{"type":"message_delta"}', feature: 'deltas' },
  client_message: {
    ...{ kind: 'client_message', delivery_id: 't', device_id: 'd', client_id: 'x', connection_id: 'c' },
    ...{ text: '{"type":"x"}', feature: 'scheduled_sends' },
  },
  command: {
    ...{ kind: 'command', command_id: 'a', node_id: 'n', connection_id: 'c', identity: IDENTITY },
    ...{ client_id: 'x', features: ['one', 'two'], text: 'text' },
  },
  heartbeat: {
    ...{ kind: 'heartbeat', node_id: 'n', is_leader: true, left: ['c'], revoked: ['d'] },
    heads: [{ session_id: 's', head: 7 }],
  },
  node: { kind: 'node', node_id: 'n', facts: { here: ['d'], nested: { deep: [1, null, true] } } },
};

export const COMMAND = WHOLE.command;

/** Every kind with every field, then with as few as allowed. */
export const MESSAGES: readonly BusMessage[] = [
  ...Object.values(WHOLE),
  { kind: 'grown', session_id: 's', text: '' },
  {
    ...{ kind: 'client_message', delivery_id: 't', device_id: 'd', client_id: null, connection_id: null },
    text: '',
  },
  { ...WHOLE.command, client_id: null, features: [] },
  { ...WHOLE.heartbeat, is_leader: false, heads: [], left: [], revoked: [] },
];

const inAnyOrder = (messages: readonly BusMessage[]): readonly unknown[] =>
  messages
    .map((message) => JSON.stringify(Object.entries(message).toSorted(([a], [b]) => (a < b ? -1 : 1))))
    .toSorted();

/** Received messages, and a wait for further ones. */
export function listenTo(bus: Pick<Bus, 'onMessage'>) {
  const messages: BusMessage[] = [];
  const waiting = new Set<() => void>();
  const stop = bus.onMessage((message) => {
    messages.push(message);
    for (const look of [...waiting]) look();
  });
  onTestFinished(stop);
  return {
    messages,
    stop,
    until: (isThere: (messages: readonly BusMessage[]) => boolean): Promise<void> =>
      new Promise((resolve) => {
        const look = () => {
          if (!isThere(messages)) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
  };
}

/** Guarantees of every bus that the core relies on. */
export function describeBus(name: string, start: () => Promise<BusHarness>): void {
  describe(name, () => {
    let harness: BusHarness;
    beforeEach(async () => {
      harness = await start();
    });

    test('delivers a node’s own messages before publish returns', async () => {
      const bus = await harness.join();
      const own = listenTo(bus);
      for (const message of MESSAGES) bus.publish(message);
      expect(own.messages).toStrictEqual(MESSAGES);
    });

    test('delivers each message unchanged to every other node, in the order of its sender', async () => {
      const [one, two, three] = [await harness.join(), await harness.join(), await harness.join()];
      const [second, third] = [listenTo(two), listenTo(three)];
      for (const message of MESSAGES) one.publish(message);
      for (const listener of [second, third]) {
        await listener.until((messages) => messages.length === MESSAGES.length);
        const session = (message: BusMessage) => message.kind === 'appended';
        expect(listener.messages.filter(session)).toStrictEqual(MESSAGES.filter(session));
        expect(inAnyOrder(listener.messages)).toStrictEqual(inAnyOrder(MESSAGES));
      }
    });

    test('delivers a node’s own message to it once', async () => {
      const [one, two] = [await harness.join(), await harness.join()];
      const [first, second] = [listenTo(one), listenTo(two)];
      one.publish(appended('s', 1));
      two.publish(appended('s', 2));
      await second.until((messages) => messages.length === 2);
      await first.until((messages) => messages.length === 2);
      one.publish(appended('s', 3));
      await second.until((messages) => messages.length === 3);
      expect(first.messages).toEqual([1, 2, 3].map((sequence) => appended('s', sequence)));
    });

    test('an unsubscribed listener receives nothing more, and the others do', async () => {
      const [one, two] = [await harness.join(), await harness.join()];
      const [gone, there] = [listenTo(two), listenTo(two)];
      one.publish(appended('s', 1));
      await gone.until((messages) => messages.length === 1);
      gone.stop();
      one.publish(appended('s', 2));
      await there.until((messages) => messages.length === 2);
      expect(gone.messages).toHaveLength(1);
    });

    test('a listener may unsubscribe or publish while it receives', async () => {
      const [one, two] = [await harness.join(), await harness.join()];
      const received = listenTo(two);
      const stop = one.onMessage((message) => {
        stop();
        if (message.kind === 'node') one.publish({ ...WHOLE.node, node_id: 'again' });
      });
      one.publish(WHOLE.node);
      await received.until((messages) => messages.length === 2);
    });

    test('a request reaches every other node unchanged, and resolves with the first that acknowledges', async () => {
      const [one, two, three] = [await harness.join(), await harness.join(), await harness.join()];
      const [second, third] = [listenTo(two), listenTo(three)];
      for (const bus of [two, three]) {
        onTestFinished(
          bus.onMessage(({ kind }, acknowledge) => {
            if (kind === 'command') acknowledge('the leader');
          }),
        );
      }
      const { command, client_message } = WHOLE;
      expect(await one.request(command, 10_000)).toBe('the leader');
      const isOver = one.request(client_message, 10);
      await second.until((messages) => messages.length >= 2);
      await third.until((messages) => messages.length >= 2);
      const isCommand = ({ kind }: BusMessage) => kind === 'command';
      for (const { messages } of [second, third]) {
        expect(messages.find(isCommand)).toStrictEqual(command);
        expect(messages.find((message) => !isCommand(message))).toStrictEqual(client_message);
      }
      expect(await isOver).toBeUndefined();
    });

    test('acknowledging a published message does nothing', async () => {
      const [one, two] = [await harness.join(), await harness.join()];
      const received = listenTo(two);
      onTestFinished(two.onMessage((_, acknowledge) => acknowledge('n')));
      one.publish(WHOLE.heartbeat);
      one.publish(appended('s', 1));
      await received.until((messages) => messages.length === 2);
    });
  });
}
