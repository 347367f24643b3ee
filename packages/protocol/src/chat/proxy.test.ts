import { expect, test } from 'vitest';
import { frameRequires } from '../../test/chat/frame.ts';
import { CHAT_SAMPLES } from '../../test/chat/samples.ts';
import { fieldTakes, put, refusal, without } from '../../test/wire/parse.ts';
import { id, label, listOf, oneOf, time, wholeFrom } from '../../test/wire/values.ts';
import { chat } from './protocol.ts';

const { proxy_session_snapshot, proxy_message, proxy_send_result, proxy_status } = CHAT_SAMPLES;

test('[CHT-54] a proxy snapshot lists its sessions directly', () => {
  const [session] = proxy_session_snapshot.sessions;
  fieldTakes(chat, proxy_session_snapshot, 'sessions', listOf(session));
  expect(refusal(chat, without(proxy_session_snapshot, 'sessions'))).toMatchObject({
    code: 'invalid_message',
    path: 'sessions',
  });
  expect(refusal(chat, put(proxy_session_snapshot, 'sessions', [{ session }]))).toMatchObject({
    code: 'invalid_message',
    path: 'sessions[0].session_id',
  });
});

test('[CHT-55] proxy_message requires session_id and a message', () => {
  frameRequires(proxy_message, [
    'session_id',
    'message',
    'message.role',
    'message.content',
    'message.created_at',
    'message.attachments[0].attachment_id',
  ]);
});

test('[CHT-56] proxy_send_result requires its ids and its result', () => {
  frameRequires(proxy_send_result, [
    'session_id',
    'client_message_id',
    'result',
    'error.code',
    'error.message',
  ]);
  fieldTakes(chat, proxy_send_result, 'result', oneOf('delivered', 'failed', 'launch_accepted'));
  fieldTakes(chat, proxy_send_result, 'delivered_at', time);
  fieldTakes(chat, proxy_send_result, 'failed_at', time);
  fieldTakes(chat, proxy_send_result, 'error.message', label);
  fieldTakes(chat, proxy_send_result, 'error', { good: [], bad: ['send_button_not_found', null] });
});

test('[CHT-57] proxy_status requires session_id and may have status and activity', () => {
  frameRequires(proxy_status, ['session_id', 'activity.kind']);
  fieldTakes(
    chat,
    proxy_status,
    'status',
    oneOf('healthy', 'degraded', 'disconnected', 'scraping_failed', 'agent_ui_changed'),
  );
  fieldTakes(chat, proxy_status, 'activity', { good: [{ kind: 'idle' }], bad: ['idle', null] });
});

test('[CHT-58] a proxy_status with neither status nor activity is refused', () => {
  const empty = without(without(proxy_status, 'status'), 'activity');
  const refused = refusal(chat, empty);
  expect(refused).toMatchObject({ code: 'invalid_message', path: 'status' });
  expect(refused.message).toContain('status or activity must be there');
});

test('[CHT-59] a proxy may name its message, and echoes the attempt', () => {
  fieldTakes(chat, proxy_message, 'message.message_id', id);
  fieldTakes(chat, proxy_send_result, 'attempt', wholeFrom(1));
});
