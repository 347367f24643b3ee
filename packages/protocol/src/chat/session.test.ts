import { expect, test } from 'vitest';
import { frameRequires } from '../../test/chat/frame.ts';
import { CHAT_SAMPLES } from '../../test/chat/samples.ts';
import { accepted, fieldTakes, put, refusal } from '../../test/wire/parse.ts';
import { id, label, listOf, oneOf, openWords, time, wholeFrom } from '../../test/wire/values.ts';
import { chat } from './protocol.ts';

const { session_snapshot, session_up, session_down, session_status, proxy_session_snapshot } = CHAT_SAMPLES;

const AGENTS = openWords('claude', 'codex', 'gemini', 'unknown');
const HEALTH = oneOf('healthy', 'degraded', 'disconnected', 'scraping_failed', 'agent_ui_changed');
const ACTIVITIES = openWords(
  'thinking',
  'generating',
  'reading_files',
  'running_command',
  'applying_patch',
  'waiting_for_user',
  'idle',
);

/** Every frame with a session object. */
const sessions = [
  ['session_snapshot', session_snapshot, 'sessions[0]'],
  ['session_up', session_up, 'session'],
  ['proxy_session_snapshot', proxy_session_snapshot, 'sessions[0]'],
] as const;

const partsOf = (at: string) =>
  ['session_id', 'agent_type', 'status', 'activity.kind'].map((part) => `${at}.${part}`);

test.each(sessions)(
  '[CHT-30] a session in %s requires session_id, agent_type and status',
  (type, sample, at) => {
    const stamp = type === 'session_up' ? ['event_id', 'sequence'] : [];
    frameRequires(sample, [...stamp, at.replace('[0]', ''), ...partsOf(at)]);
  },
);

test.each(sessions)('[CHT-31] agent_type and status in %s have fixed words', (_type, sample, at) => {
  fieldTakes(chat, sample, `${at}.agent_type`, AGENTS);
  fieldTakes(chat, sample, `${at}.status`, HEALTH);
});

test.each(sessions)(
  '[CHT-32] a session in %s may carry labels, ids, a time and an activity',
  (_type, sample, at) => {
    for (const field of ['display_name', 'window_title', 'workspace_name', 'workspace_path', 'machine_label'])
      fieldTakes(chat, sample, `${at}.${field}`, label);
    fieldTakes(chat, sample, `${at}.target_signature`, label);
    fieldTakes(chat, sample, `${at}.target_id`, id);
    fieldTakes(chat, sample, `${at}.last_seen_at`, time);
    fieldTakes(chat, sample, `${at}.activity`, { good: [{ kind: 'idle' }], bad: ['idle', null, ['idle']] });
  },
);

const activities = [
  ...sessions.map(([type, sample, at]) => [type, sample, `${at}.activity`] as const),
  ['session_status', session_status, 'activity'] as const,
  ['proxy_status', CHAT_SAMPLES.proxy_status, 'activity'] as const,
];

test.each(activities)('[CHT-33] an activity in %s requires kind', (_type, sample, at) => {
  fieldTakes(chat, sample, `${at}.kind`, ACTIVITIES);
  fieldTakes(chat, sample, `${at}.label`, label);
  fieldTakes(chat, sample, `${at}.updated_at`, time);
  expect(refusal(chat, put(sample, at, { label: 'Thinking' }))).toMatchObject({
    code: 'invalid_message',
    path: `${at}.kind`,
  });
});

test('[CHT-34] the actual name of an agent or a permission mode is sent beside unknown', () => {
  const named = put(put(session_up, 'session.agent_type', 'unknown'), 'session.agent_name', 'opencode');
  expect(accepted(chat, named)).toEqual(named);
  fieldTakes(chat, session_up, 'session.agent_name', label);
  fieldTakes(chat, CHAT_SAMPLES.agent_config, 'permission_mode_name', label);
});

test('[CHT-35] a snapshot lists its sessions directly', () => {
  const [session] = session_snapshot.sessions;
  frameRequires(session_snapshot, ['sessions', ...partsOf('sessions[0]')]);
  fieldTakes(chat, session_snapshot, 'sessions', listOf(session));
  expect(refusal(chat, put(session_snapshot, 'sessions', [{ session }]))).toMatchObject({
    code: 'invalid_message',
    path: 'sessions[0].session_id',
  });
});

test('[CHT-36] session_up nests its session', () => {
  const { session, ...rest } = session_up;
  frameRequires(session_up, ['event_id', 'sequence', 'session', ...partsOf('session')]);
  expect(refusal(chat, { ...rest, ...session })).toMatchObject({ code: 'invalid_message', path: 'session' });
});

test('[CHT-37] session_down requires its stamp and session_id, and may have a reason', () => {
  frameRequires(session_down, ['event_id', 'sequence', 'session_id']);
  fieldTakes(chat, session_down, 'reason', label);
  fieldTakes(chat, session_down, 'sequence', wholeFrom(0));
});

test('[CHT-38] session_status requires its stamp and session_id, and may have status and activity', () => {
  frameRequires(session_status, ['event_id', 'sequence', 'session_id', 'activity.kind']);
  fieldTakes(chat, session_status, 'status', HEALTH);
  fieldTakes(chat, session_status, 'activity.kind', ACTIVITIES);
});
