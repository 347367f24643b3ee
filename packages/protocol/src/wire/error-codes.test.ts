import { expect, test } from 'vitest';
import { BRIDGE_CODES, CHAT_CODES, ERROR_CODES, INTERACT_CODES, MAP_CODES } from './error-codes.ts';

/** The stable codes of the bridge protocol. */
const OF_THE_BRIDGE = [
  'unknown_action',
  'invalid_input',
  'runtime_not_ready',
  'permission_denied',
  'ambiguous_runtime',
  'runtime_not_found',
  'capability_unavailable',
  'missing_handler',
  'handler_failed',
  'handler_timeout',
  'invalid_result',
  'target_not_found',
  'state_mismatch',
  'drift_detected',
  'unsafe_state',
  'transport_failed',
];

/** The recommended codes of the Remote Agent Chat Protocol. */
const OF_CHAT = [
  'protocol_version_unsupported',
  'invalid_message',
  'session_not_connected',
  'session_unknown',
  'send_rejected',
  'send_injection_failed',
  'selector_failure',
  'history_not_available',
  'resume_cursor_invalid',
  'no_proxy_connected',
  'launch_timeout',
  'agent_not_open',
  'launch_not_supported',
  'unauthorized',
  'prompt_not_found',
  'agent_not_active',
  'model_not_available',
  'control_not_supported',
  'config_read_failed',
];

const OURS_IN_CHAT = [
  'delivery_unknown',
  'invalid_subscription',
  'native_receipt_missing',
  'native_control_timeout',
  'cancelled',
  'machine_label_taken',
  'mode_not_available',
];

test('the bridge has its sixteen codes and no other', () => {
  expect(OF_THE_BRIDGE).toHaveLength(16);
  expect(Object.keys(BRIDGE_CODES)).toEqual(OF_THE_BRIDGE);
});

test('chat has its nineteen codes, and four of ours', () => {
  expect(OF_CHAT).toHaveLength(19);
  expect(Object.keys(CHAT_CODES)).toEqual([...OF_CHAT, ...OURS_IN_CHAT]);
});

test('no code is in two lists', () => {
  const codes = [BRIDGE_CODES, CHAT_CODES, INTERACT_CODES, MAP_CODES].flatMap((list) => Object.keys(list));
  expect(codes.toSorted()).toEqual(Object.keys(ERROR_CODES).sort());
  expect(new Set(codes).size).toBe(codes.length);
});

test.each(Object.entries(ERROR_CODES))('%s has a stable form and a meaning of one sentence', (code, info) => {
  expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
  expect(['info', 'minor', 'major', 'critical']).toContain(info.severity);
  expect(info.meaning).toMatch(/^[A-Za-z].{8,90}\.$/);
  expect(info.meaning.slice(0, -1)).not.toMatch(/[.!?] [A-Z]/);
});
