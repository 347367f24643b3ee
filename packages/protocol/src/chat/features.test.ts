import { expect, test } from 'vitest';
import { frameRequires } from '../../test/chat/frame.ts';
import { CHAT_SAMPLES } from '../../test/chat/samples.ts';
import { accepted, fieldTakes } from '../../test/wire/parse.ts';
import { id, label, object, oneOf, text, wholeFrom } from '../../test/wire/values.ts';
import { CHAT_FEATURES, FEATURE_FRAMES } from './features.ts';
import { CHAT_FRAMES } from './frames.ts';
import { chat } from './protocol.ts';

test.each(Object.values(CHAT_FEATURES).flat())('the frame %s beyond the protocol parses', (type) => {
  expect(accepted(chat, CHAT_SAMPLES[type])).toEqual(CHAT_SAMPLES[type]);
});

test('the features name every frame beyond the protocol, each once', () => {
  const named = Object.values(CHAT_FEATURES).flat();
  expect(named.toSorted()).toEqual(Object.keys(FEATURE_FRAMES).sort());
  expect(Object.keys(CHAT_FRAMES)).toEqual(expect.arrayContaining(named));
});

const SENT = ['event_id', 'sequence', 'session_id', 'message_id', 'client_message_id'];

test.each([
  ['cancel_message', ['request_id', 'session_id', 'client_message_id']],
  ['edit_message', ['request_id', 'session_id', 'client_message_id', 'content']],
  ['message_cancelled', [...SENT, 'cancelled_at']],
  ['message_edited', [...SENT, 'content', 'edited_at']],
  ['agent_question', ['session_id', 'question_id', 'text']],
  ['agent_answer', ['request_id', 'session_id', 'question_id', 'answer']],
  ['agent_set_mode', ['session_id', 'mode_id']],
  [
    'permission_prompt_answered',
    ['event_id', 'sequence', 'session_id', 'prompt_id', 'choice_id', 'answered_by', 'answered_at'],
  ],
  ['permission_prompt_withdrawn', ['session_id', 'prompt_id']],
  ['lagging', ['waiting_events']],
  ['reconnect_hint', ['after_ms']],
  ['message_append', ['session_id', 'message_id', 'offset', 'text']],
  ['message_checking', ['session_id', 'message_id', 'client_message_id']],
  ['subscription_ack', ['sessions', 'state_epoch']],
  ['session_patch', ['session_id', 'patch', 'removed_fields', 'state_epoch', 'state_seq']],
  ['message_delta', ['session_id', 'message_id', 'block_index', 'seq', 'op', 'append']],
  ['history_chunk_request', ['request_id', 'session_id']],
] as const)('%s requires its fields', (type, fields) => {
  frameRequires(CHAT_SAMPLES[type], fields);
});

test.each([
  ['edit_message', 'content', text],
  ['message_edited', 'content', text],
  ['agent_question', 'text', text],
  ['agent_question', 'form', object],
  ['agent_answer', 'answer', oneOf('accept', 'decline', 'cancel')],
  ['agent_answer', 'values', object],
  ['agent_answer', 'answered_by', label],
  ['agent_set_mode', 'mode_id', id],
  ['agent_config', 'mode_id', id],
  ['agent_config', 'available_modes[0].mode_id', id],
  ['agent_config', 'available_modes[0].name', label],
  ['agent_config', 'available_modes[1].description', label],
  ['permission_prompt_answered', 'answered_by', label],
  ['lagging', 'waiting_events', wholeFrom(0)],
  ['lagging', 'message', label],
  ['reconnect_hint', 'after_ms', wholeFrom(0)],
  ['reconnect_hint', 'reason', label],
  ['message_append', 'offset', wholeFrom(0)],
  ['message_append', 'text', text],
] as const)('%s takes its kind of %s', (type, path, values) => {
  fieldTakes(chat, CHAT_SAMPLES[type], path, values);
});
