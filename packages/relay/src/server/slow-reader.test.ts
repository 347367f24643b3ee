import { expect, test } from 'vitest';
import { startTestRelay, type TestPeer } from '../../test/server/test-relay.ts';

const SESSION = { session_id: 'one', agent_type: 'claude', status: 'healthy' };
const CONTENT = 'x'.repeat(65_536);

const sequencesOf = (peer: TestPeer): readonly number[] =>
  peer.frames.flatMap((frame) => {
    if (frame.type === 'history_delta') return frame.events.flatMap(({ sequence = [] }) => sequence);
    return 'sequence' in frame && typeof frame.sequence === 'number' ? [frame.sequence] : [];
  });

test('[CHT-98] disconnects a peer that stops reading, others are not affected, and it resumes without a gap', async () => {
  const relay = await startTestRelay();
  const proxy = await relay.connect('proxy');
  const slow = await relay.connect('person', { features: ['lagging'] });
  const quick = await relay.connect('person');
  proxy.send({ type: 'proxy_session_snapshot', sessions: [SESSION] });
  await slow.next('session_up');
  await quick.next('session_up');

  slow.socket.pause();
  const isLagging = async () =>
    (await (await fetch(`${relay.url}/metrics`)).text()).includes('drawbridge_lagging_total 1\n');
  let sent = 0;
  while (!(await isLagging())) {
    sent += 1;
    const message = {
      role: 'assistant',
      content: `${sent} ${CONTENT}`,
      created_at: '2026-01-01T00:00:00.000Z',
    };
    proxy.send({ type: 'proxy_message', session_id: 'one', message });
    await quick.next('message_event');
  }
  slow.socket.resume();
  expect((await slow.closed).code).toBe(4408);
  expect(slow.frames.at(-1)?.type).toBe('lagging');

  const seen = sequencesOf(slow);
  const last_sequence = seen.at(-1) ?? 0;
  const all = sequencesOf(quick);
  expect(last_sequence).toBeLessThan(all.at(-1) ?? 0);
  const device = slow.device;
  if (device === undefined) throw new Error('It has a device.');
  const resume = { sessions: [{ session_id: 'one', last_sequence }] };
  const back = await relay.connect('person', { resume }, { device });
  await back.settled();
  while ((sequencesOf(back).at(-1) ?? 0) < (all.at(-1) ?? 0)) await back.next('history_delta');
  expect([...seen, ...sequencesOf(back)]).toEqual(all);
});

test('[CHT-304] a proxy that sends 16 MiB at once waits in its pipe, and all of it is stored', async () => {
  const relay = await startTestRelay();
  const proxy = await relay.connect('proxy');
  proxy.send({ type: 'proxy_session_snapshot', sessions: [SESSION] });
  await proxy.settled();
  const ids = Array.from({ length: 256 }, (_, index) => `m${index}`);
  for (const message_id of ids) {
    const message = {
      message_id,
      role: 'assistant',
      content: CONTENT,
      created_at: '2026-01-01T00:00:00.000Z',
    };
    proxy.send({ type: 'proxy_message', session_id: 'one', message });
  }
  await proxy.settled();
  const person = await relay.connect('person', {
    resume: { sessions: [{ session_id: 'one', last_sequence: 1 }] },
  });
  const stored: string[] = [];
  while (stored.length < ids.length) {
    const { events } = await person.next('history_delta');
    for (const event of events) if (event.type === 'message_event') stored.push(event.message.message_id);
  }
  expect(stored).toEqual(ids);
});

test('[CHT-287] disconnects a proxy that reads no commands, and their senders are notified', async () => {
  const relay = await startTestRelay({
    limits: {
      unread_answer_bytes: 1_048_576,
      browser_frames_per_second: 1_000_000,
      browser_burst: 1_000_000,
    },
  });
  const proxy = await relay.connect('proxy', { features: ['questions'] });
  const person = await relay.connect('person');
  proxy.send({ type: 'proxy_session_snapshot', sessions: [SESSION] });
  await person.next('session_up');
  proxy.socket.pause();
  const isGone = () => person.frames.some(({ type }) => type === 'session_down');
  for (let asked = 0; !isGone(); asked += 1) {
    const answer = { session_id: 'one', question_id: 'q1', request_id: `r${asked}`, answer: 'accept' };
    person.send({ type: 'agent_answer', ...answer, values: { text: CONTENT } });
    await person.settled();
  }
  expect(await person.next('agent_control_result')).toMatchObject({
    result: 'failed',
    error: { code: 'delivery_unknown' },
  });
  proxy.socket.resume();
  expect((await proxy.closed).code).toBe(4408);
});
