import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { createFakeClock } from './fake-clock.ts';
import { type DirectionDecision, type FaultProxyOptions, startFaultProxy } from './fault-proxy.ts';
import { createGate } from './gate.ts';
import { listenOnLoopback } from './loopback.ts';

async function startTarget(onConnection: (socket: Socket) => void): Promise<FaultProxyOptions['target']> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {});
    onConnection(socket);
  });
  const port = await listenOnLoopback(server);
  onTestFinished(() => void server.close());
  return { host: '127.0.0.1', port };
}

const startEcho = () => startTarget((socket) => void socket.pipe(socket));

async function startProxy(options: FaultProxyOptions) {
  const proxy = await startFaultProxy(options);
  onTestFinished(() => proxy.close());
  return proxy;
}

/** A client that collects its input; errors are expected. */
function dial(port: number) {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  const heard: Buffer[] = [];
  socket.on('data', (chunk) => heard.push(chunk));
  const text = () => Buffer.concat(heard).toString();
  const hears = async (expected: string) => {
    while (text() !== expected) await once(socket, 'data');
  };
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  return { socket, heard, text, hears, closed };
}

test('without faults it passes bytes and half-closes through', async () => {
  const proxy = await startProxy({ target: await startEcho(), seed: 1 });
  const { socket, text, closed } = dial(proxy.port);
  socket.end('hello');
  await closed;
  expect(text()).toBe('hello');
  expect(proxy.stats()).toMatchObject({
    connections: { opened: 1, cut: 0 },
    up: { forwarded: 5, swallowed: 0 },
    down: { forwarded: 5, swallowed: 0 },
  });
});

test('tiny segments arrive as many reads, complete and in order', async () => {
  const faults = { down: { segmentBytes: { min: 1, max: 3 } } };
  const proxy = await startProxy({ target: await startEcho(), seed: 5, faults });
  const { socket, heard, text, closed } = dial(proxy.port);
  const sent = 'abcdefghij'.repeat(20);
  socket.end(sent);
  await closed;
  expect(text()).toBe(sent);
  expect(heard.length).toBeGreaterThan(10);
});

test('a cut by bytes forwards exactly that many', async () => {
  const faults = { down: { cutAfterBytes: { min: 4, max: 4 } } };
  const proxy = await startProxy({ target: await startEcho(), seed: 1, faults });
  const { socket, text, closed } = dial(proxy.port);
  socket.write('abcdefgh');
  await closed;
  expect(text()).toBe('abcd');
  expect(proxy.stats()).toMatchObject({ connections: { cut: 1 }, down: { forwarded: 4 } });
});

test('a cut on command destroys open connections, and a new one works', async () => {
  const proxy = await startProxy({ target: await startEcho(), seed: 1 });
  const first = dial(proxy.port);
  first.socket.write('one');
  await first.hears('one');
  proxy.cut();
  await first.closed;
  const second = dial(proxy.port);
  second.socket.write('two');
  await second.hears('two');
  expect(proxy.stats().connections).toEqual({ opened: 2, open: 1, cut: 1 });
});

test('swallowed bytes vanish in one direction while the connection stays up', async () => {
  const swallowing = createGate();
  const reached: string[] = [];
  const target = await startTarget((socket) => {
    socket.write('welcome');
    socket.on('data', (chunk) => reached.push(chunk.toString()));
  });
  const proxy = await startProxy({
    target,
    seed: 1,
    faults: { up: { swallow: true } },
    onDecision: () => swallowing.open(),
  });
  const { socket, hears } = dial(proxy.port);
  await hears('welcome');
  socket.write('anyone there?');
  await swallowing.passed();
  await turn();
  expect(proxy.stats().up).toEqual({ forwarded: 0, swallowed: 13 });
  expect(reached).toEqual([]);
  expect(socket.readyState).toBe('open');
});

test('a delay holds bytes until it has passed', async () => {
  const clock = createFakeClock();
  const held = createGate();
  const proxy = await startProxy({
    target: await startEcho(),
    seed: 1,
    faults: { up: { delayMs: { min: 40, max: 40 } } },
    schedule: (run, ms) => {
      clock.setTimeout(run, ms);
      held.open();
    },
  });
  const { socket, hears } = dial(proxy.port);
  socket.write('late');
  await held.passed();
  clock.advance(39);
  await turn();
  expect(proxy.stats().up.forwarded).toBe(0);
  clock.advance(1);
  await hears('late');
});

test('paused bytes wait for resume', async () => {
  const inHand = createGate();
  const proxy = await startProxy({
    target: await startEcho(),
    seed: 1,
    faults: { down: { segmentBytes: { min: 100, max: 100 } } },
    onDecision: () => inHand.open(),
  });
  proxy.pause('down');
  const { socket, text, hears } = dial(proxy.port);
  socket.write('patience');
  await inHand.passed();
  for (let turns = 0; turns < 5; turns += 1) await turn();
  expect(text()).toBe('');
  proxy.resume('down');
  await hears('patience');
});

test('changed faults apply to open connections too', async () => {
  const proxy = await startProxy({ target: await startEcho(), seed: 1 });
  const { socket, text, hears, closed } = dial(proxy.port);
  socket.write('fine ');
  await hears('fine ');
  proxy.setFaults({ down: { cutAfterBytes: { min: 2, max: 2 } } });
  socket.write('no more');
  await closed;
  expect(text()).toBe('fine no');
});

test('an unreachable target closes the client', async () => {
  const gone = createServer();
  const port = await listenOnLoopback(gone);
  gone.close();
  await once(gone, 'close');
  const proxy = await startProxy({ target: { host: '127.0.0.1', port }, seed: 1 });
  const { closed } = dial(proxy.port);
  await closed;
  expect(proxy.stats().connections).toMatchObject({ opened: 1, cut: 0 });
});

test('close ends open and paused connections, and can be called twice', async () => {
  const proxy = await startFaultProxy({ target: await startEcho(), seed: 1 });
  const { socket, hears, closed } = dial(proxy.port);
  socket.write('hi');
  await hears('hi');
  proxy.pause();
  socket.write('held');
  await Promise.all([proxy.close(), proxy.close()]);
  await closed;
  expect(proxy.stats().connections.open).toBe(0);
});

/** Two connections of 40 echoed messages each, in tiny segments, cut at a byte that the seed chooses. */
async function webSocketRun(seed: number) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
  await once(server, 'listening');
  server.on('connection', (socket) => {
    socket.on('error', () => {});
    socket.on('message', (data) => socket.send(data.toString()));
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const trace: DirectionDecision[] = [];
  const proxy = await startFaultProxy({
    target: { host: '127.0.0.1', port: address.port },
    seed,
    faults: {
      up: { segmentBytes: { min: 1, max: 7 } },
      down: { segmentBytes: { min: 1, max: 5 }, cutAfterBytes: { min: 200, max: 600 } },
    },
    onDecision: (decision) => trace.push(decision),
  });
  const echoes = [await echoUntilCut(proxy.port), await echoUntilCut(proxy.port)];
  await proxy.close();
  server.close();
  return { echoes, trace };
}

async function echoUntilCut(port: number) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}`, { perMessageDeflate: false });
  socket.on('error', () => {});
  const heard: string[] = [];
  socket.on('message', (data) => heard.push(data.toString()));
  socket.on('open', () => {
    for (let count = 0; count < 40; count += 1) socket.send(`message number ${count}`);
  });
  const code = await new Promise<number>((resolve) => socket.once('close', resolve));
  return { heard, code };
}

const downOf = (trace: DirectionDecision[]) =>
  [1, 2].map((number) =>
    trace
      .filter(({ connection, direction }) => connection === number && direction === 'down')
      .map(({ decision }) => decision),
  );

test('over a real WebSocket, the same seed gives the same trace and another seed another', async () => {
  const first = await webSocketRun(11);
  const again = await webSocketRun(11);
  const other = await webSocketRun(12);

  for (const { heard, code } of first.echoes) {
    expect(code).toBe(1006);
    expect(heard.length).toBeGreaterThan(0);
    expect(heard).toEqual(Array.from({ length: heard.length }, (_, count) => `message number ${count}`));
  }
  expect(again.echoes).toEqual(first.echoes);
  expect(downOf(again.trace)).toEqual(downOf(first.trace));
  expect(downOf(first.trace).map((decisions) => decisions.at(-1)?.kind)).toEqual(['cut', 'cut']);
  expect(downOf(other.trace)).not.toEqual(downOf(first.trace));
});
