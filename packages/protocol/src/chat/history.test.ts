import { expect, test } from 'vitest';
import { frameRequires } from '../../test/chat/frame.ts';
import { CHAT_SAMPLES } from '../../test/chat/samples.ts';
import { accepted, fieldTakes, put, refusal, without } from '../../test/wire/parse.ts';
import { id, listOf, oneOf, wholeFrom } from '../../test/wire/values.ts';
import { chat } from './protocol.ts';

const { history_request, history_snapshot, history_delta } = CHAT_SAMPLES;

const MESSAGE = ['message_id', 'role', 'content', 'created_at', 'attachments[0].attachment_id'];

test('[CHT-48] history_request requires session_id and may carry after_sequence', () => {
  frameRequires(history_request, ['session_id']);
  fieldTakes(chat, history_request, 'after_sequence', wholeFrom(0));
});

test('[CHT-49] history_snapshot requires session_id, last_sequence and messages', () => {
  frameRequires(history_snapshot, [
    'session_id',
    'last_sequence',
    'messages',
    ...MESSAGE.map((field) => `messages[0].${field}`),
  ]);
  fieldTakes(chat, history_snapshot, 'messages', listOf(CHAT_SAMPLES.message_event.message));
});

test('[CHT-50] history_delta requires session_id, both ends and events', () => {
  frameRequires(history_delta, [
    'session_id',
    'from_sequence',
    'last_sequence',
    'events',
    ...['type', 'event_id', 'sequence', 'session_id'].flatMap((field) => [
      `events[0].${field}`,
      `events[1].${field}`,
    ]),
    'events[1].message',
    ...MESSAGE.map((field) => `events[1].message.${field}`),
  ]);
  fieldTakes(chat, history_delta, 'events', listOf(history_delta.events[0]));
});

/** Every frame with a sequence, which history can replay. */
const events = [
  'session_up',
  'session_down',
  'session_status',
  'session_closed',
  'message_accepted',
  'message_delivered',
  'message_failed',
  'message_event',
  'message_cancelled',
  'message_edited',
  'permission_prompt',
  'permission_prompt_expired',
  'permission_prompt_answered',
  'agent_question',
  'agent_config',
] as const;

const replayed = (event: unknown) => put(history_delta, 'events', [history_delta.events[0], event]);

test.each(events)('[CHT-51] a replayed %s keeps its fields and needs no protocol_version', (type) => {
  const event = without(CHAT_SAMPLES[type], 'protocol_version');
  expect(accepted(chat, replayed(event))).toEqual(replayed(event));
  expect(accepted(chat, replayed(CHAT_SAMPLES[type]))).toEqual(replayed(CHAT_SAMPLES[type]));
  for (const field of ['event_id', 'sequence'])
    expect(refusal(chat, replayed(without(event, field)))).toMatchObject({
      code: 'invalid_message',
      path: `events[1].${field}`,
    });
});

test('[CHT-51] an error names a wrong event by its index in events', () => {
  const { message_event, session_status, heartbeat } = CHAT_SAMPLES;
  const wrong = [
    [put(message_event, 'message.role', 7), 'events[1].message.role'],
    [put(session_status, 'activity.kind', 7), 'events[1].activity.kind'],
    [without(message_event, 'type'), 'events[1].type'],
    [{ ...heartbeat, event_id: 'evt_1', sequence: 1 }, 'events[1].type'],
    ['message_event', 'events[1]'],
  ];
  for (const [event, path] of wrong)
    expect(refusal(chat, replayed(event))).toMatchObject({ code: 'invalid_message', path });
});

test('[CHT-52] history may carry an epoch, and a request also limit and before_sequence', () => {
  for (const sample of [history_request, history_snapshot, history_delta])
    fieldTakes(chat, sample, 'epoch', id);
  fieldTakes(chat, history_request, 'limit', wholeFrom(1));
  fieldTakes(chat, history_request, 'before_sequence', wholeFrom(0));
});

test('[CHT-53] a message in history may carry the id and the status of its send', () => {
  fieldTakes(chat, history_snapshot, 'messages[0].client_message_id', id);
  fieldTakes(
    chat,
    history_snapshot,
    'messages[0].status',
    oneOf('queued', 'accepted', 'delivered', 'failed'),
  );
});
