import { expect, test } from 'vitest';
import { frameRequires } from '../../test/chat/frame.ts';
import { CHAT_SAMPLES } from '../../test/chat/samples.ts';
import { accepted, fieldTakes, put, refusal } from '../../test/wire/parse.ts';
import { flag, id, label, text, time, wholeFrom } from '../../test/wire/values.ts';
import { chat } from './protocol.ts';

const { send_message, message_accepted, message_delivered, message_failed, message_event } = CHAT_SAMPLES;

test('[CHT-39] send_message requires client_message_id, session_id and created_at', () => {
  frameRequires(send_message, [
    'client_message_id',
    'session_id',
    'created_at',
    'attachments[0].attachment_id',
  ]);
});

test('[CHT-40] a send with neither content nor attachments is refused', () => {
  const { content, attachments, ...bare } = send_message;
  const saying = [
    { content },
    { attachments },
    { content: '', attachments },
    { content, attachments: [] },
    { content, attachments },
  ];
  for (const fields of saying) expect(accepted(chat, { ...bare, ...fields })).toEqual({ ...bare, ...fields });
  for (const fields of [{}, { content: '' }, { attachments: [] }, { content: '', attachments: [] }])
    expect(refusal(chat, { ...bare, ...fields })).toMatchObject({ code: 'invalid_message', path: 'content' });
  fieldTakes(chat, send_message, 'content', text);
});

test('[CHT-41] an attachment requires attachment_id, and may carry name and kind', () => {
  fieldTakes(chat, send_message, 'attachments[0].attachment_id', id);
  fieldTakes(chat, send_message, 'attachments[0].name', label);
  fieldTakes(chat, send_message, 'attachments[0].kind', id);
  const second = put(send_message, 'attachments', [{ attachment_id: 'att_1' }, { name: 'shot.png' }]);
  expect(refusal(chat, second)).toMatchObject({
    code: 'invalid_message',
    path: 'attachments[1].attachment_id',
  });
});

test('[CHT-42] send_message may carry queue and attempt', () => {
  fieldTakes(chat, send_message, 'queue', flag);
  fieldTakes(chat, send_message, 'attempt', wholeFrom(1));
});

const SENT = ['event_id', 'sequence', 'session_id', 'message_id', 'client_message_id', 'status'];

test.each([
  ['accepted', message_accepted, []],
  ['delivered', message_delivered, []],
  ['failed', message_failed, ['error', 'error.code', 'error.message']],
] as const)('[CHT-43] message_%s requires its ids, its status and its time', (status, sample, more) => {
  frameRequires(sample, [...SENT, `${status}_at`, ...more]);
  const others = ['queued', 'accepted', 'delivered', 'failed'].filter((word) => word !== status);
  fieldTakes(chat, sample, 'status', { good: [status], bad: [...others, '', null] });
  fieldTakes(chat, sample, `${status}_at`, time);
});

test('[CHT-44] message_failed requires an error with code and message', () => {
  frameRequires(message_failed, [...SENT, 'failed_at', 'error', 'error.code', 'error.message']);
  fieldTakes(chat, message_failed, 'error', {
    good: [{ code: 'session_not_connected', message: '' }],
    bad: ['session_not_connected', null],
  });
});

test('[CHT-45] message_failed may set indeterminate', () => {
  fieldTakes(chat, message_failed, 'indeterminate', flag);
});

test('[CHT-46] message_event requires its stamp and a whole message', () => {
  frameRequires(message_event, [
    'event_id',
    'sequence',
    'session_id',
    'message',
    'message.message_id',
    'message.role',
    'message.content',
    'message.created_at',
    'message.attachments[0].attachment_id',
  ]);
  fieldTakes(chat, message_event, 'message.content', text);
});

test('[CHT-47] a role is any non-empty string', () => {
  fieldTakes(chat, message_event, 'message.role', {
    good: ['user', 'assistant', 'system', 'tool'],
    bad: ['', 7, null],
  });
});
