import { expect, test } from 'vitest';
import { CHAT_SAMPLES } from '../../test/chat/samples.ts';
import {
  accepted,
  fieldsOf,
  fieldTakes,
  put,
  refusal,
  refusalOfText,
  without,
} from '../../test/wire/parse.ts';
import { id, label, time, wholeFrom } from '../../test/wire/values.ts';
import { isObject } from '../wire/json-text.ts';
import { CHAT_FRAMES, RETIRED_FRAMES } from './frames.ts';
import { chat } from './protocol.ts';

const samples = Object.entries(CHAT_SAMPLES);
const { heartbeat, send_message, session_snapshot } = CHAT_SAMPLES;

/**
 * Every field of any frame, by the end of its name; without default_choice, which must be one of the choices.
 */
const places = (ending: RegExp) =>
  samples.flatMap(([type, sample]) => {
    const plain: unknown = JSON.parse(JSON.stringify(sample), (key, value) =>
      key === 'default_choice' ? undefined : value,
    );
    const paths = fieldsOf(plain).filter((path) => ending.test(path));
    return paths.map((path) => ({ type, sample: plain, path }));
  });

test('[CHT-01] a frame that is not one JSON object is refused, and UTF-8 text is unchanged', () => {
  for (const text of [
    '',
    'nonsense',
    '{"type":',
    "{'type':'heartbeat'}",
    '{}{}',
    '[]',
    '"heartbeat"',
    '1',
    'null',
  ])
    expect(refusalOfText(chat, text)).toMatchObject({ code: 'invalid_message', path: '' });
  const frame = put(send_message, 'content', 'Ærøskøbing 日本 🦀');
  expect(accepted(chat, frame)).toEqual(frame);
});

test('[CHT-02] type is a required string', () => {
  expect(refusal(chat, without(heartbeat, 'type'))).toMatchObject({ code: 'invalid_message', path: 'type' });
  for (const type of [7, null, '', ['heartbeat']])
    expect(refusal(chat, put(heartbeat, 'type', type))).toMatchObject({
      code: 'invalid_message',
      path: 'type',
    });
});

test.each(samples)('[CHT-03] %s requires protocol_version, a number', (_type, sample) => {
  const wrong = { code: 'invalid_message', path: 'protocol_version' };
  expect(accepted(chat, sample)).toEqual(sample);
  expect(refusal(chat, without(sample, 'protocol_version'))).toMatchObject(wrong);
  for (const version of ['1', null, true, [1]])
    expect(refusal(chat, put(sample, 'protocol_version', version))).toMatchObject(wrong);
});

test('[CHT-04] any other protocol_version than 1 is refused with its own code', () => {
  for (const version of [0, 2, -1, 1.5, 1e300])
    expect(refusal(chat, put(heartbeat, 'protocol_version', version))).toMatchObject({
      code: 'protocol_version_unsupported',
      path: 'protocol_version',
    });
});

test('[CHT-05] an unsupported version is reported before any other problem', () => {
  const frames = [
    { protocol_version: 2, type: 'send_message' },
    { protocol_version: 2, type: 'no_such_type' },
    { protocol_version: 2, type: 'send' },
    { protocol_version: 2 },
  ];
  for (const frame of frames) expect(refusal(chat, frame).code).toBe('protocol_version_unsupported');
});

/** Adds an unknown field to every object; the keys of `session_configs` are ids, not fields. */
function withUnknownFields(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => withUnknownFields(item));
  if (!isObject(value)) return value;
  const inner = Object.entries(value).map(([name, field]) => [name, withUnknownFields(field, name)]);
  return { ...Object.fromEntries(inner), ...(key === 'session_configs' ? {} : { x_new: { deep: [null] } }) };
}

test.each(samples)('[CHT-06] %s with unknown fields at every depth is accepted', (_type, sample) => {
  const frame = withUnknownFields(sample);
  expect(frame).not.toEqual(sample);
  expect(accepted(chat, frame)).toEqual(frame);
});

test.each(['session_ups', 'constructor', 'toString', '__proto__', 'channel_event'])(
  '[CHT-07] the unknown type %s is refused and named',
  (type) => {
    const refused = refusal(chat, put(heartbeat, 'type', type));
    expect(refused).toMatchObject({ code: 'invalid_message', path: 'type' });
    expect(refused.message).toContain(`"${type}"`);
  },
);

test.each([
  ['session_list', ['session_snapshot']],
  ['send', ['send_message']],
  ['history', ['history_snapshot', 'history_delta']],
  ['message', ['message_event', 'message_accepted', 'message_delivered', 'message_failed']],
  ['status', ['session_status', 'proxy_status']],
])('[CHT-08] the retired type %s is refused with its successor', (type, successors) => {
  const refused = refusal(chat, put(heartbeat, 'type', type));
  expect(refused).toMatchObject({ code: 'invalid_message', path: 'type' });
  for (const successor of successors) {
    expect(refused.message).toContain(successor);
    expect(Object.keys(CHAT_FRAMES)).toContain(successor);
  }
  expect(Object.keys(RETIRED_FRAMES)).toHaveLength(5);
});

test('[CHT-09] wire names are snake_case, and another casing is another name', () => {
  for (const [type, sample] of samples)
    for (const name of [type, ...fieldsOf(sample).flatMap((path) => path.match(/[^.[\]\d]+$/) ?? [])])
      expect(name).toMatch(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/);
  for (const type of ['sessionUp', 'SESSION_UP', 'Session_Up'])
    expect(refusal(chat, { ...CHAT_SAMPLES.session_up, type })).toMatchObject({
      code: 'invalid_message',
      path: 'type',
    });
  const camel = { ...send_message, clientMessageId: 'msg_cli_1', client_message_id: undefined };
  expect(refusal(chat, camel)).toMatchObject({ code: 'invalid_message', path: 'client_message_id' });
});

const REQUIRED_ANYWAY: Readonly<Record<string, readonly string[]>> = {
  request_id: [
    'launch_session',
    'session_launching',
    'session_launch_ack',
    'session_launch_failed',
    'close_session',
    'agent_interrupt',
    'agent_control_result',
    'cancel_message',
    'edit_message',
    'agent_answer',
    'history_chunk_request',
    'history_chunk',
  ],
  connection_id: ['connection_ack'],
  server_ts: ['connection_ack'],
};

test.each(samples)('[CHT-10] %s has the common fields as optional fields', (type, sample) => {
  for (const [field, frames] of Object.entries(REQUIRED_ANYWAY)) {
    fieldTakes(chat, sample, field, field === 'server_ts' ? time : id);
    const rest = without(sample, field);
    if (frames.includes(type)) expect(refusal(chat, rest)).toMatchObject({ path: field });
    else expect(accepted(chat, rest)).toEqual(rest);
  }
});

/** Fields of newer peers: a time in seconds, a time of any form, and row numbers. */
const NUMBERS = /last_message_at|before_id|around_id|started_at/;
const texts = (name: RegExp) => places(name).filter(({ path }) => !NUMBERS.test(path));

test.each(texts(/_(at|ts)$/))('[CHT-11] $type $path is a time in UTC', ({ sample, path }) => {
  fieldTakes(chat, sample, path, time);
});

test.each(texts(/(^|[._])id$/))('[CHT-12] $type $path is a short string', ({ sample, path }) => {
  fieldTakes(chat, sample, path, id);
});

test.each(places(/sequence$/))('[CHT-13] $type $path is a whole number from 0', ({ sample, path }) => {
  fieldTakes(chat, sample, path, wholeFrom(0));
});

test('[CHT-14] an error names the first wrong field, the expected and the actual value', () => {
  const [session] = session_snapshot.sessions;
  const wrong = put(
    { ...session_snapshot, sessions: [session, session, session] },
    'sessions[2].status',
    'ill',
  );
  const { path, message } = refusal(chat, wrong);
  expect(path).toBe('sessions[2].status');
  expect(message).toContain('sessions[2].status must be one of "healthy", "degraded"');
  expect(message).toContain('got "ill"');
  const two = put(put(send_message, 'session_id', 7), 'created_at', 'now');
  expect(refusal(chat, two)).toMatchObject({ path: 'session_id', message: expect.stringContaining('got 7') });
});

const nested = (levels: number): string =>
  JSON.stringify(heartbeat).replace('}', `,"x_new":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`);

test('[CHT-15] a frame over 1 MiB or 64 levels is refused before it is parsed', () => {
  const short = JSON.stringify({ ...heartbeat, x_new: '' });
  const full = short.replace('""', `"${'x'.repeat(1_048_576 - short.length)}"`);
  expect(full).toHaveLength(1_048_576);
  expect(chat.parse(full)).toMatchObject(heartbeat);
  expect(refusalOfText(chat, `${full} `)).toMatchObject({ code: 'invalid_message', path: '' });
  expect(chat.parse(nested(64))).toMatchObject(heartbeat);
  expect(refusalOfText(chat, nested(65))).toMatchObject({ code: 'invalid_message', path: '' });
  expect(refusalOfText(chat, `{${'x'.repeat(1_048_576)}`).message).toContain('the limit is 1048576');
  expect(refusalOfText(chat, '['.repeat(65)).message).toContain('deeper than 64 levels');
});

const words = [
  ...places(/(title|label|reason|error\.message)$/),
  { type: 'connection_error', sample: CHAT_SAMPLES.connection_error, path: 'message' },
].filter(({ type }) => type !== 'session_closed'); // An enum of three words.

test.each(words)('[CHT-16] $type $path has at most 4,096 characters', ({ sample, path }) => {
  fieldTakes(chat, sample, path, label);
});

test('[CHT-16] attachments and choices have at most 100 entries', () => {
  const lists = [
    { sample: send_message, path: 'attachments', item: { attachment_id: 'att_1' } },
    {
      sample: without(CHAT_SAMPLES.permission_prompt, 'default_choice'),
      path: 'choices',
      item: { choice_id: 'yes', label: 'Yes', is_default: false },
    },
  ];
  for (const { sample, path, item } of lists)
    fieldTakes(chat, sample, path, { good: [Array(100).fill(item)], bad: [Array(101).fill(item)] });
});

test('[CHT-17] prototype keys change no prototype', () => {
  const text = JSON.stringify(heartbeat);
  const attacks = [
    text.replace('{', '{"__proto__":{"polluted":true},'),
    text.replace('{', '{"\\u005f_proto__":{"polluted":true},'),
    text.replace('{', '{"constructor":{"prototype":{"polluted":true}},'),
    text.replace('{', '{"x_new":[{"__proto__":{"polluted":true}}],'),
  ];
  for (const attack of attacks) expect(refusalOfText(chat, attack).code).toBe('invalid_message');
  expect({}).not.toHaveProperty('polluted');
  const frame = chat.parse(text.replace('{', '{"constructor":"a word","prototype":{},'));
  expect(Object.getPrototypeOf(frame)).toBe(Object.prototype);
});

test.each([
  ['connection_error', 'code'],
  ['message_failed', 'error.code'],
  ['proxy_send_result', 'error.code'],
  ['session_launch_failed', 'error_code'],
  ['agent_control_result', 'error_code'],
  ['agent_control_result', 'error.code'],
] as const)('[CHT-18] %s takes an unlisted %s, and no empty one', (type, path) => {
  fieldTakes(chat, CHAT_SAMPLES[type], path, { good: ['their_own_code', 'E42'], bad: ['', 42] });
});
