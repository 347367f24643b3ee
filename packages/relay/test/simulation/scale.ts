import { createSeededRandom, type SeededRandom } from '@drawbridge/testbed';
import type { Connection, Identity } from '../../src/core/ports.ts';
import { BASE, createNodes, TICK_MS } from './scale-nodes.ts';

/**
 * A simple model of a large cluster: each session has a person on some node, an agent, one send and one
 * answer.
 */
export interface ScaleOptions {
  readonly seed: number;
  readonly nodes: number;
  readonly sessions: number;
  /** Sessions per proxy. */
  readonly perProxy: number;
  /** Probabilities that the bus loses or repeats a message on its way to a node. */
  readonly lost: number;
  readonly repeated: number;
  /** Fraction of sessions with a send. */
  readonly talking: number;
  /** Followers that die during the run; the leader dies once too. */
  readonly deaths: number;
  readonly onProgress?: (text: string) => void;
}

export interface ScaleMetrics {
  readonly events: number;
  readonly commits: number;
  readonly messages: number;
  readonly deliveries: number;
  readonly fillReads: number;
  readonly headReads: number;
  readonly seconds: number;
  readonly simulatedSeconds: number;
  readonly megabytes: number;
  readonly problems: readonly string[];
}

const V1 = { protocol_version: 1 };
const AT = new Date(BASE).toISOString();
const TIMEOUT_MS = 4_000;
/** Each phase ends before the next: agents connect, people connect, people send; then all is quiet. */
const PHASES = { announce: 5_000, come: 10_000, send: 40_000, quiet: 30_000 };

interface Person {
  readonly session_id: string;
  readonly identity: Identity;
  connection: Connection | undefined;
  last: number;
  state: 'silent' | 'sent' | 'accepted' | 'delivered' | 'failed';
  sentAt: number;
  answered: boolean;
}

interface Proxy {
  readonly identity: Identity;
  readonly sessions: readonly string[];
  connection: Connection | undefined;
  readonly injected: Set<string>;
}

export async function runAtScale(options: ScaleOptions): Promise<ScaleMetrics> {
  const begun = performance.now();
  const random: SeededRandom = createSeededRandom(options.seed);
  const { wheel, database, counts, problems, nodes, start, kill, connect, pass, currentLeader } = createNodes(
    random,
    options,
  );
  const say = (to: Connection | undefined, frame: object): void =>
    to?.receive(JSON.stringify({ ...V1, ...frame }));

  const sessionIds = Array.from({ length: options.sessions }, (_, index) => `s${index}`);
  const proxies: readonly Proxy[] = Array.from(
    { length: Math.ceil(options.sessions / options.perProxy) },
    (_, index) => ({
      identity: { device_id: `proxy${index}`, roles: ['proxy'], label: `proxy${index}`, scopes: [] },
      sessions: sessionIds.slice(index * options.perProxy, (index + 1) * options.perProxy),
      connection: undefined,
      injected: new Set(),
    }),
  );
  const people: readonly Person[] = sessionIds.map((session_id, index) => ({
    session_id,
    identity: {
      device_id: `person${index}`,
      roles: ['person'],
      label: `person${index}`,
      scopes: [`session:${session_id}`],
    },
    connection: undefined,
    last: 0,
    state: 'silent',
    sentAt: 0,
    answered: false,
  }));

  const proxyHears = (proxy: Proxy, text: string): void => {
    const frame = JSON.parse(text);
    if (frame.type === 'connection_ack') {
      const sessions = proxy.sessions.map((session_id) => ({
        session_id,
        agent_type: 'codex',
        status: 'healthy',
      }));
      say(proxy.connection, { type: 'proxy_session_snapshot', sessions });
    }
    if (frame.type !== 'send_message') return;
    const { session_id, client_message_id } = frame;
    if (proxy.injected.has(client_message_id)) problems.push(`[CHT-160] ${client_message_id} injected twice`);
    proxy.injected.add(client_message_id);
    wheel.after(TICK_MS, () => {
      const message = { message_id: `a-${session_id}`, role: 'assistant', content: 'Done.', created_at: AT };
      say(proxy.connection, {
        type: 'proxy_send_result',
        session_id,
        client_message_id,
        result: 'delivered',
      });
      say(proxy.connection, { type: 'proxy_message', session_id, message });
    });
  };

  const connectProxy = (proxy: Proxy): void => {
    if (proxy.connection !== undefined) return;
    proxy.connection = connect(
      currentLeader(),
      proxy.identity,
      (text) => proxyHears(proxy, text),
      () => {
        proxy.connection = undefined;
        wheel.after(random.int(100, 2_000), () => connectProxy(proxy));
      },
    );
    if (proxy.connection === undefined) wheel.after(500, () => connectProxy(proxy));
    else
      say(proxy.connection, {
        type: 'connection_hello',
        peer_role: 'proxy',
        client_name: 'p',
        machine_label: proxy.identity.label,
      });
  };

  const message = (person: Person, event: { readonly type: string; readonly sequence: number }): void => {
    if (event.sequence <= person.last) {
      // CHT-143: an acceptance may be the answer to a retry.
      if (event.type !== 'message_accepted')
        problems.push(`[CHT-130] ${person.session_id}: ${event.sequence} again`);
    } else if (event.sequence > person.last + 1) {
      problems.push(`[CHT-130] ${person.session_id}: ${event.sequence} after ${person.last}`);
    } else person.last = event.sequence;
    if (event.type === 'message_accepted' && person.state === 'sent') person.state = 'accepted';
    if (event.type === 'message_delivered') person.state = 'delivered';
    if (event.type === 'message_failed') person.state = 'failed';
  };

  const personHears = (person: Person, text: string): void => {
    const frame = JSON.parse(text);
    if (frame.type === 'history_delta') for (const event of frame.events) message(person, event);
    else if (frame.sequence !== undefined) message(person, frame);
  };

  const send = (person: Person): void => {
    if (person.state !== 'silent' && person.state !== 'sent') return;
    const { session_id } = person;
    if (person.connection !== undefined) {
      person.state = 'sent';
      const sent = { client_message_id: `m-${session_id}`, content: 'Do it.', created_at: AT };
      say(person.connection, { type: 'send_message', session_id, ...sent });
    }
    wheel.after(TIMEOUT_MS, () => send(person));
  };

  const connectPerson = (person: Person): void => {
    const { session_id, last } = person;
    person.connection = connect(
      random.pick(nodes),
      person.identity,
      (text) => personHears(person, text),
      () => {
        person.connection = undefined;
        wheel.after(random.int(100, 3_000), () => connectPerson(person));
      },
    );
    const resume = { sessions: [{ session_id, last_sequence: last }] };
    if (person.connection === undefined) wheel.after(500, () => connectPerson(person));
    else say(person.connection, { type: 'connection_hello', peer_role: 'browser', client_name: 'b', resume });
  };

  const spread = <Each>(each: readonly Each[], ms: number, run: (one: Each) => void): void => {
    each.forEach((one, index) => void wheel.after(Math.floor((index * ms) / each.length), () => run(one)));
  };
  const emit = (text: string) => options.onProgress?.(`${Math.round(performance.now() - begun)} ms: ${text}`);

  const [first, ...others] = nodes;
  if (first === undefined) throw new RangeError('nodes: at least one');
  await start(first, true);
  await Promise.all(others.map((node) => start(node, false)));
  emit(`${nodes.length} nodes are up`);
  spread(proxies, PHASES.announce, connectProxy);
  await pass(PHASES.announce + 2_000);
  emit(`${options.sessions} sessions are announced`);
  spread(people, PHASES.come, connectPerson);
  await pass(PHASES.come + 2_000);
  emit('people are here');
  const talking = people.filter(() => random.chance(options.talking));
  spread(random.shuffle(talking), PHASES.send, send);
  const dying = random.shuffle(others).slice(0, options.deaths);
  dying.forEach((node, index) => {
    wheel.after(((index + 1) * PHASES.send) / (dying.length + 1), () => {
      // The leader dies once, below.
      if (node === currentLeader()) return;
      kill(node);
      wheel.after(2_000, () => void start(node, false));
    });
  });
  wheel.after(PHASES.send / 2 + 500, () => {
    const next = random.pick(others.filter((node) => node.core !== undefined));
    const before = currentLeader();
    if (before !== undefined) kill(before);
    wheel.after(3_000, () => {
      kill(next);
      void start(next, true);
    });
    wheel.after(6_000, () => before && void start(before, false));
  });
  await pass(PHASES.send);
  emit('all is said');
  await pass(PHASES.quiet);
  emit('all is quiet');

  let events = 0;
  const done = new Set(proxies.flatMap(({ injected }) => [...injected]));
  for (const person of talking) {
    const { session_id, state } = person;
    if (state !== 'delivered' && state !== 'failed')
      problems.push(`[CHT-160] ${session_id}: its send is ${state}`);
    if (state === 'delivered' && !done.has(`m-${session_id}`))
      problems.push(`[CHT-148] ${session_id}: never injected`);
  }
  for (const { session_id, last } of people) {
    const record = await database.session(session_id);
    events += record?.head ?? 0;
    if (last !== record?.head) problems.push(`[CHT-263] ${session_id}: at ${last} of ${record?.head}`);
  }
  return {
    events,
    ...counts,
    seconds: Math.round((performance.now() - begun) / 100) / 10,
    simulatedSeconds: wheel.now() / 1_000,
    megabytes: Math.round(process.memoryUsage().rss / 1_048_576),
    problems,
  };
}
