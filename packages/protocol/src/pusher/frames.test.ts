import { expect, test } from 'vitest';
import { PUSHER_HTTP_SAMPLES, PUSHER_SAMPLES } from '../../test/pusher/samples.ts';
import {
  accepted,
  fieldTakes,
  put,
  refusal,
  refusalOfText,
  requiredFields,
  without,
} from '../../test/wire/parse.ts';
import { listOf, text, textUpTo } from '../../test/wire/values.ts';
import { pusher, pusherBatch, pusherTrigger } from './protocol.ts';

const { trigger, batch } = PUSHER_HTTP_SAMPLES;
const { channel_event } = PUSHER_SAMPLES;
const subscribe = PUSHER_SAMPLES['pusher:subscribe'];
const established = PUSHER_SAMPLES['pusher:connection_established'];

const refusedAt = (path: string) => ({ code: 'invalid_message', path });

test('[INT-62] a frame is a JSON object with a string event, and on a channel also a channel', () => {
  for (const body of ['', 'ping', '[]', 'null', '"pusher:ping"'])
    expect(refusalOfText(pusher, body)).toMatchObject(refusedAt(''));
  requiredFields(pusher, channel_event, ['event', 'channel', 'data']);
  fieldTakes(pusher, channel_event, 'event', {
    good: ['new_message', 'client-x', 'x'.repeat(200)],
    bad: ['', 7, null, 'x'.repeat(201)],
  });
  fieldTakes(pusher, channel_event, 'channel', { good: ['private-session-1'], bad: [7, null, ''] });
  fieldTakes(pusher, channel_event, 'user_id', text);
});

test.each(Object.entries(PUSHER_SAMPLES).filter(([event]) => event.startsWith('pusher_internal:')))(
  '[INT-62] the data of %s is a string',
  (_event, sample) => {
    requiredFields(pusher, sample, ['event', 'channel', 'data']);
    fieldTakes(pusher, sample, 'data', text);
  },
);

test.each(['pusher:nonsense', 'pusher_internal:nonsense', 'pusher:'])(
  '[INT-62] %s is no event, because its prefix is reserved',
  (event) => {
    const refused = refusal(pusher, { ...channel_event, event });
    expect(refused).toMatchObject(refusedAt('event'));
    expect(refused.message).toContain(`"${event}"`);
  },
);

test('[INT-62] a published event called channel_event, or toString, is an event on a channel', () => {
  for (const event of ['channel_event', 'toString', '__proto__', 'constructor']) {
    expect(pusher.kindOf(pusher.parse(JSON.stringify({ ...channel_event, event })))).toBe('channel_event');
    expect(refusal(pusher, { event, data: '{}' })).toMatchObject(refusedAt('channel'));
  }
});

test('[INT-63] connection_established has socket_id and activity_timeout in a JSON string', () => {
  requiredFields(pusher, established, ['event', 'data']);
  const greeting = (data: unknown) => put(established, 'data', JSON.stringify(data));
  for (const data of [
    { socket_id: '123.456', activity_timeout: 120 },
    { socket_id: '0.1', activity_timeout: 30, more: true },
  ])
    expect(accepted(pusher, greeting(data))).toEqual(greeting(data));
  for (const socket_id of ['123', '123.', '.456', 'a.b', '1.2.3', ' 1.2', '1.2\n', 123.456, null, undefined])
    expect(refusal(pusher, greeting({ socket_id, activity_timeout: 120 }))).toMatchObject(
      refusedAt('data.socket_id'),
    );
  for (const activity_timeout of ['120', null, undefined, true])
    expect(refusal(pusher, greeting({ socket_id: '1.2', activity_timeout }))).toMatchObject(
      refusedAt('data.activity_timeout'),
    );
  for (const data of ['', 'no JSON', '[]', 'null'])
    expect(refusal(pusher, put(established, 'data', data))).toMatchObject(refusedAt('data.socket_id'));
  fieldTakes(pusher, established, 'data', {
    good: [],
    bad: [{ socket_id: '1.2', activity_timeout: 120 }, null],
  });
});

test.each(['pusher:ping', 'pusher:pong'])('[INT-64] %s is valid with empty data and without', (event) => {
  for (const frame of [{ event }, { event, data: {} }]) {
    expect(accepted(pusher, frame)).toEqual(frame);
    expect(pusher.kindOf(pusher.parse(JSON.stringify(frame)))).toBe(event);
  }
});

test('[INT-65] subscribe and unsubscribe name a channel', () => {
  requiredFields(pusher, subscribe, ['event', 'data', 'data.channel']);
  const textOrNull = { good: [...text.good, null], bad: text.bad.filter((value) => value !== null) };
  fieldTakes(pusher, subscribe, 'data.auth', textOrNull);
  fieldTakes(pusher, subscribe, 'data.channel_data', textOrNull);
  fieldTakes(pusher, subscribe, 'data', {
    good: [{ channel: 'news' }],
    bad: ['{"channel":"news"}', null, []],
  });
  requiredFields(pusher, PUSHER_SAMPLES['pusher:unsubscribe'], ['event', 'data', 'data.channel']);
});

test('[INT-66] signin carries auth and user_data', () => {
  const signin = PUSHER_SAMPLES['pusher:signin'];
  requiredFields(pusher, signin, ['event', 'data', 'data.auth', 'data.user_data']);
  fieldTakes(pusher, signin, 'data.auth', text);
  fieldTakes(pusher, signin, 'data.user_data', text);
});

const CHANNELS = {
  good: ['a', 'news', 'private-session-1', 'presence-A_b=c@d,e.f;g', '#server-to-user-42', 'x'.repeat(200)],
  bad: ['', 'x'.repeat(201), 'a b', 'a/b', 'a:b', 'å', 'a\n', '#news', '#server-to-user-', 'a#b', 7, null],
};

test.each([
  ['subscribe', pusher, subscribe, 'data.channel'],
  ['unsubscribe', pusher, PUSHER_SAMPLES['pusher:unsubscribe'], 'data.channel'],
  ['an event', pusher, channel_event, 'channel'],
  ['a trigger', pusherTrigger, trigger, 'channels[0]'],
  ['a batch', pusherBatch, batch, 'batch[0].channel'],
] as const)('[INT-67] a channel name in %s is short and plain', (_where, protocol, sample, path) => {
  fieldTakes(protocol, sample, path, CHANNELS);
});

test('[INT-68] a trigger has name, data and channels', () => {
  requiredFields(pusherTrigger, trigger, ['name', 'data', 'channels']);
  fieldTakes(pusherTrigger, trigger, 'name', textUpTo(200, 1));
  fieldTakes(pusherTrigger, trigger, 'data', text);
  fieldTakes(pusherTrigger, trigger, 'channels', {
    good: [['a'], Array(100).fill('a')],
    bad: [[], Array(101).fill('a'), 'a', null],
  });
  fieldTakes(pusherTrigger, trigger, 'socket_id', { good: ['1.2'], bad: [1.2, null] });
  fieldTakes(pusherTrigger, trigger, 'info', { good: ['user_count'], bad: [['user_count'], null] });
});

test('[INT-69] a batch has at most 10 entries, each with name, channel and data', () => {
  requiredFields(pusherBatch, batch, [
    'batch',
    ...['name', 'channel', 'data'].map((field) => `batch[0].${field}`),
  ]);
  const [entry] = batch.batch;
  fieldTakes(pusherBatch, batch, 'batch', listOf(entry));
  fieldTakes(pusherBatch, batch, 'batch', { good: [Array(10).fill(entry)], bad: [Array(11).fill(entry)] });
  fieldTakes(pusherBatch, batch, 'batch[0].name', textUpTo(200, 1));
  fieldTakes(pusherBatch, batch, 'batch[0].data', text);
  expect(refusal(pusherBatch, without(batch, 'batch')).code).toBe('invalid_request');
});
