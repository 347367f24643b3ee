import { expect, test } from 'vitest';
import { frameRequires } from '../../test/chat/frame.ts';
import { CHAT_SAMPLES } from '../../test/chat/samples.ts';
import { accepted, fieldTakes, put, refusal, without } from '../../test/wire/parse.ts';
import { flag, id, label, listOf, oneOf, openWords, text, time, wholeFrom } from '../../test/wire/values.ts';
import { chat } from './protocol.ts';

const {
  permission_prompt,
  permission_response,
  permission_prompt_expired,
  agent_interrupt,
  agent_config_request,
  agent_set_model,
  agent_config,
  agent_control_result,
} = CHAT_SAMPLES;

const undecided = without(permission_prompt, 'default_choice');

test('[CHT-68] permission_prompt requires its ids, its text and its choices', () => {
  const parts = [0, 1].flatMap((at) =>
    ['choice_id', 'label', 'is_default'].map((field) => `choices[${at}].${field}`),
  );
  frameRequires(undecided, ['session_id', 'prompt_id', 'prompt_text', 'choices', ...parts]);
  expect(accepted(chat, permission_prompt)).toEqual(permission_prompt);
  fieldTakes(chat, permission_prompt, 'prompt_text', text);
  fieldTakes(chat, permission_prompt, 'timeout_ms', wholeFrom(0));
  fieldTakes(chat, permission_prompt, 'detected_at', time);
  fieldTakes(chat, permission_prompt, 'default_choice', { good: ['yes', 'no'], bad: [7, null, ''] });
});

test('[CHT-69] a prompt has at least one choice, each with choice_id, label and is_default', () => {
  const yes = { choice_id: 'yes', label: 'Yes', is_default: false };
  fieldTakes(chat, undecided, 'choices', { good: [[yes], [yes, yes]], bad: [[], yes, 'yes', null] });
  fieldTakes(chat, undecided, 'choices[1].choice_id', id);
  fieldTakes(chat, undecided, 'choices[1].label', label);
  fieldTakes(chat, undecided, 'choices[1].is_default', flag);
});

test('[CHT-70] a default_choice that is none of the choices is refused', () => {
  fieldTakes(chat, permission_prompt, 'default_choice', { good: ['yes', 'no'], bad: ['maybe', 'Yes', 'NO'] });
  const { connection_ack, history_delta } = CHAT_SAMPLES;
  const wrong = put(permission_prompt, 'default_choice', 'maybe');
  expect(refusal(chat, put(connection_ack, 'open_prompts', [permission_prompt, wrong]))).toMatchObject({
    code: 'invalid_message',
    path: 'open_prompts[1].default_choice',
  });
  expect(refusal(chat, put(history_delta, 'events', [permission_prompt, wrong]))).toMatchObject({
    code: 'invalid_message',
    path: 'events[1].default_choice',
  });
});

test('[CHT-71] permission_response requires session_id, prompt_id and choice_id', () => {
  frameRequires(permission_response, ['session_id', 'prompt_id', 'choice_id']);
});

test('[CHT-72] a choice may have its effect, and a response the time of its prompt', () => {
  fieldTakes(chat, permission_prompt, 'choices[0].effect', oneOf('allow', 'deny'));
  fieldTakes(chat, permission_response, 'detected_at', time);
});

test('[CHT-73] permission_prompt_expired requires session_id and prompt_id', () => {
  frameRequires(permission_prompt_expired, ['session_id', 'prompt_id']);
  fieldTakes(chat, permission_prompt_expired, 'applied_choice', id);
});

test('[CHT-74] agent_interrupt requires session_id and request_id', () => {
  frameRequires(agent_interrupt, ['session_id', 'request_id']);
});

test('[CHT-75] agent_config_request requires session_id', () => {
  frameRequires(agent_config_request, ['session_id']);
});

test('[CHT-76] agent_set_model requires session_id and model_id', () => {
  frameRequires(agent_set_model, ['session_id', 'model_id']);
  fieldTakes(chat, agent_set_model, 'model_id', id);
});

test.each([permission_response, agent_config_request, agent_set_model])(
  '[CHT-77] $type is valid with and without request_id',
  (sample) => {
    expect(accepted(chat, sample)).toHaveProperty('request_id');
    expect(accepted(chat, without(sample, 'request_id'))).not.toHaveProperty('request_id');
    fieldTakes(chat, sample, 'request_id', id);
  },
);

test('[CHT-78] agent_config requires session_id and model_id', () => {
  const ofModes = [0, 1].flatMap((at) => [`available_modes[${at}].mode_id`, `available_modes[${at}].name`]);
  frameRequires(agent_config, ['session_id', 'model_id', ...ofModes]);
  fieldTakes(chat, agent_config, 'available_models', listOf('claude-opus-4-6'));
  fieldTakes(chat, agent_config, 'available_models[1]', id);
  fieldTakes(chat, agent_config, 'read_at', time);
});

test('[CHT-79] permission_mode and file_access_scope have fixed words', () => {
  fieldTakes(
    chat,
    agent_config,
    'permission_mode',
    openWords('bypassPermissions', 'default', 'ask', 'unknown'),
  );
  fieldTakes(chat, agent_config, 'file_access_scope', openWords('full', 'workspace', 'none', 'unknown'));
});

test('[CHT-80] capabilities are optional booleans, and unknown ones are accepted', () => {
  for (const known of ['interrupt', 'set_model', 'permission_mode_change', 'permission_dialogs'])
    fieldTakes(chat, agent_config, `capabilities.${known}`, flag);
  fieldTakes(chat, agent_config, 'capabilities', {
    good: [{}, { interrupt: true }, { voice: true }, { voice: { languages: ['da'] } }],
    bad: [[], 'all', null, true],
  });
});

test('[CHT-81] agent_control_result requires its ids, its command and its result', () => {
  frameRequires(agent_control_result, [
    'request_id',
    'session_id',
    'command',
    'result',
    'error.code',
    'error.message',
  ]);
  fieldTakes(chat, agent_control_result, 'command', id);
  fieldTakes(chat, agent_control_result, 'result', oneOf('ok', 'failed'));
  fieldTakes(chat, agent_control_result, 'error', { good: [], bad: ['agent_not_active', null, 7] });
});

test('[CHT-82] a failure may have error_code, with or without error', () => {
  fieldTakes(chat, agent_control_result, 'error_code', id);
  fieldTakes(chat, without(agent_control_result, 'error'), 'error_code', id);
});

test.each([CHAT_SAMPLES.session_closed, permission_prompt, permission_prompt_expired, agent_config])(
  '[CHT-83] $type is valid with and without event_id and sequence',
  (sample) => {
    const bare = without(without(sample, 'event_id'), 'sequence');
    expect(accepted(chat, bare)).toEqual(bare);
    fieldTakes(chat, sample, 'event_id', id);
    fieldTakes(chat, sample, 'sequence', wholeFrom(0));
  },
);
