import type { BridgeItem } from '@drawbridge/protocol';
import { createFakeClock, createSocketPair, type PairedSocket } from '@drawbridge/testbed';
import { ConnectionHub, type HubOptions, type Peer } from '../src/connection-hub.ts';
import { connectFrames, type DialEvents } from '../src/frame-client.ts';
import { acceptFrames, type Negotiation } from '../src/frame-server.ts';
import { endOfSocket, type FrameWire } from '../src/frame-wire.ts';
import { createArrivals } from './received-log.ts';

/** Client and server on a fake clock. */

export const PEER: Peer = { credential_id: 'one', endpoint: 'runtime' };
export const item = (id: string): BridgeItem => ({
  type: 'dom_event',
  event_id: id,
  runtime_id: 'r',
  name: 'n',
  payload: 1,
});

const wireOf = (socket: PairedSocket): FrameWire => ({
  send: (text) => socket.send(text),
  close: (code, reason) => socket.close(code, reason),
});

export function setUp(options: Partial<HubOptions> = {}, peers: readonly Peer[] = [PEER]) {
  const fake = createFakeClock(1_000_000);
  const clock = fake;
  const arrivals = createArrivals();
  const ids = ['first', 'second', 'third', 'fourth'];
  const newId = () => ids.shift() ?? 'more';
  const hub = new ConnectionHub({ clock, newId, onConnection: arrivals.take, ...options });
  const pairs: Array<ReturnType<typeof createSocketPair>> = [];
  let answers = true;
  const dial = (events: DialEvents): FrameWire => {
    const pair = createSocketPair();
    pairs.push(pair);
    pair.a.onMessage(events.frame);
    pair.a.onClose((code, reason) => events.ended(endOfSocket(code, reason)));
    if (answers) accept(pair.b, peers[pairs.length - 1] ?? PEER);
    queueMicrotask(() => events.opened(true));
    return wireOf(pair.a);
  };
  const accept = (socket: PairedSocket, peer: Peer, negotiation: Negotiation = 'resumable') => {
    const intake = acceptFrames({ hub, peer, wire: wireOf(socket), negotiation });
    socket.onMessage(intake.frame);
    socket.onClose((code, reason) => intake.ended(endOfSocket(code, reason)));
  };
  /** Runs everything that needs no time. */
  const settle = async () => {
    do await fake.advanceAsync(0);
    while (pairs.reduce((sum, pair) => sum + pair.flush(), 0) > 0);
  };
  const connect = () =>
    connectFrames(dial, { clock, backoff: { minMs: 100, maxMs: 1_000, random: () => 0 } });
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= 50) {
      await fake.advanceAsync(Math.min(50, left));
      await settle();
    }
  };
  const fallSilent = () => {
    answers = false;
  };
  return { fake, hub, arrivals, pairs, accept, settle, pass, connect, fallSilent };
}
