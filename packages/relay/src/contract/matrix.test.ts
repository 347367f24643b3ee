import { CHAT_FRAMES, type ChatFrameType } from '@drawbridge/protocol';
import { expect, test } from 'vitest';
import { fresh, useRelay } from '../../test/contract/contract-harness.ts';
import {
  interruptOf,
  launchOf,
  listOf,
  promptOf,
  sendOf,
  sessionObject,
} from '../../test/contract/frames.ts';
import { MATRIX_ROLES, MATRIX_TYPES, type MatrixRole, matrixRow } from '../../test/contract/matrix-cells.ts';
import { type Cell, MATRIX_FRAMES } from '../../test/contract/matrix-frames.ts';
import type { Peer } from '../../test/contract/peer.ts';
import { upgradeStatus } from '../../test/server/test-relay.ts';

const harness = useRelay({ limits: { failures_per_minute: 10_000 } });

const NEWER = ['deltas', 'chat_list', 'deliveries', 'rate_limits', 'resync'];
const FEATURES = { features: ['queue', 'questions', 'modes', 'prompt_withdrawn', ...NEWER] };

/** The peers that a frame could reach, and a session with one of everything. */
interface MatrixFixture {
  readonly cell: Cell;
  readonly proxy: Peer;
  readonly watcher: Peer;
}

async function openMatrixFixture(): Promise<MatrixFixture> {
  const [machine_label, session_id, waiting_id] = [fresh('machine'), fresh('session'), fresh('session')];
  const [launch_id, control_id, request_id] = [fresh('launch'), fresh('control'), fresh('request')];
  const watcher = await harness.connect('person', FEATURES);
  const away = await harness.connect('proxy');
  away.send(listOf(sessionObject(waiting_id)));
  await away.settled();
  await away.cut();
  await watcher.next('session_down', { session_id: waiting_id });
  const proxy = await harness.connect('proxy', { machine_label, ...FEATURES });
  proxy.send(listOf(sessionObject(session_id)));
  proxy.send(promptOf(session_id, 'p1'));
  proxy.send({ type: 'agent_question', session_id, question_id: 'q1', text: 'Which branch?' });
  await watcher.next('agent_question');
  watcher.send(sendOf(waiting_id, 'w1'));
  watcher.send(sendOf(session_id, 'c1'));
  watcher.send(launchOf(launch_id, { machine_label }));
  watcher.send(interruptOf(session_id, control_id));
  await watcher.next('message_event', { session_id: waiting_id });
  await watcher.next('message_event', { session_id });
  await watcher.next('session_launching');
  await proxy.next('send_message');
  await proxy.next('launch_session');
  await proxy.next('agent_interrupt');
  return {
    proxy,
    watcher,
    cell: { session_id, waiting_id, launch_id, control_id, request_id, machine_label },
  };
}

/** Everything that a frame could have changed, and everyone it could have reached. */
async function facts({ cell, proxy, watcher }: MatrixFixture): Promise<unknown> {
  const { ledger } = harness.relay;
  const { session_id, waiting_id, launch_id, request_id } = cell;
  await harness.idle();
  await proxy.settled();
  await watcher.settled();
  const launches = await ledger.pendingLaunches();
  const answers = ['heartbeat_ack', 'connection_error'];
  const heard = ({ texts, frames }: Peer) =>
    texts.filter((_, index) => !answers.includes(frames[index]?.type ?? ''));
  return {
    session: await ledger.session(session_id),
    waiting: await ledger.session(waiting_id),
    sent: await Promise.all(['c1', 'c2'].map((id) => ledger.message(session_id, id))),
    waits: await ledger.message(waiting_id, 'w1'),
    prompts: await Promise.all(['p1', 'p2'].map((id) => ledger.prompt(session_id, id))),
    launches: launches.filter((launch) => [launch_id, request_id].includes(launch.request_id)),
    proxy: heard(proxy),
    watcher: heard(watcher),
  };
}

const frameOf = (type: ChatFrameType, cell: Cell) => ({ type, ...MATRIX_FRAMES[type].frame(cell) });

async function refusedHello(role: 'runtime' | 'agent', type: ChatFrameType, cell: Cell): Promise<string> {
  const peer = await harness.connect(role, null);
  peer.send({ type: 'connection_hello', peer_role: 'browser', client_name: 'test' });
  peer.send(frameOf(type, cell));
  const { code } = await peer.closed;
  const [error, ...more] = peer.frames;
  if (error?.type !== 'connection_error' || error.code !== 'unauthorized' || more.length > 0) {
    return `got ${peer.texts.join()}`;
  }
  return code === 4401 ? 'no_hello' : `closed with ${code}`;
}

async function refusedUpgrade(): Promise<string> {
  const { device_id, token } = await harness.device('person');
  await harness.relay.devices.revoke(device_id, 'machine');
  const headers = { authorization: `Bearer ${token}` };
  const status = await upgradeStatus(harness.relay.url, '/ws/chat', { headers });
  return status === 401 ? 'no_socket' : `upgraded with ${status}`;
}

/** Result of a frame, as its sender sees it. */
async function answerTo(
  peer: Peer,
  { cell, proxy, watcher }: MatrixFixture,
  type: ChatFrameType,
): Promise<string> {
  const from = peer.frames.length;
  const { shows, isSilent = false } = MATRIX_FRAMES[type];
  peer.send(frameOf(type, cell));
  await peer.settled();
  const came = peer.frames.slice(from);
  const error = came.find((frame) => frame.type === 'connection_error');
  if (error !== undefined) return error.code === 'invalid_message' ? 'repeated' : error.code;
  const refused = came.find((frame) => frame.type === 'session_launch_failed');
  if (refused?.error_code === 'unauthorized') return 'launch_refused';
  if (isSilent) return 'taken';
  if (shows === undefined) return 'unanswered';
  await { proxy, watcher, sender: peer }[shows[0]].next(shows[1]);
  return 'taken';
}

async function outcomeOf(role: MatrixRole, type: ChatFrameType, fixture: MatrixFixture): Promise<string> {
  if (role === 'revoked') return refusedUpgrade();
  if (role === 'runtime' || role === 'agent') return refusedHello(role, type, fixture.cell);
  return answerTo(role === 'proxy' ? fixture.proxy : await harness.connect(role, FEATURES), fixture, type);
}

test('every frame of the protocol has a row', () => {
  expect(MATRIX_TYPES.toSorted()).toEqual(Object.keys(CHAT_FRAMES).toSorted());
});

test.each(MATRIX_TYPES)('[CHT-91] permission to send %s', async (type) => {
  const outcomes: [MatrixRole, string][] = [];
  let fixture = await openMatrixFixture();
  for (const role of MATRIX_ROLES) {
    const before = await facts(fixture);
    const outcome = await outcomeOf(role, type, fixture);
    if (outcome === 'taken') fixture = await openMatrixFixture();
    else expect(await facts(fixture), `${role} changed something`).toEqual(before);
    outcomes.push([role, outcome]);
  }
  expect(Object.fromEntries(outcomes)).toEqual(matrixRow(type));
});
