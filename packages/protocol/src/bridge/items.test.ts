import { describe, expect, test } from 'vitest';
import { BRIDGE_SAMPLES } from '../../test/bridge/samples.ts';
import {
  accepted,
  fieldTakes,
  put,
  type Refused,
  refusal,
  refusalOfText,
  requiredFields,
  without,
} from '../../test/wire/parse.ts';
import { flag, listOf, object, oneOf, text, time, type Values, wholeFrom } from '../../test/wire/values.ts';
import { LIMITS } from '../wire/limits.ts';
import { bridge } from './protocol.ts';

const {
  runtime_ready: READY,
  runtime_status: STATUS,
  action_call: CALL,
  action_call_output: OUTPUT,
  dom_event: EVENT,
  action_error: ERROR,
} = BRIDGE_SAMPLES;
const ITEMS = Object.values(BRIDGE_SAMPLES);

const word: Values = { good: ['text', 'two words'], bad: text.bad };
const words = listOf('text');

/** Each field of an otherwise complete item accepts its good values and refuses its bad ones. */
function takes(item: unknown, fields: Readonly<Record<string, Values>>): void {
  for (const [field, values] of Object.entries(fields)) fieldTakes(bridge, item, field, values);
}

const at = (path: string, message?: string): Partial<Refused> => ({
  code: 'invalid_input',
  path,
  ...(message === undefined ? {} : { message: expect.stringContaining(message) }),
});

describe('every item', () => {
  test('[BRG-01] [BRG-133] each of the six types, and each of ours, parses unchanged', () => {
    for (const [type, item] of Object.entries(BRIDGE_SAMPLES)) {
      const parsed = bridge.parse(JSON.stringify(item));
      expect(parsed).toEqual(item);
      expect(parsed.type).toBe(type);
      expect(bridge.kindOf(parsed)).toBe(type);
    }
  });

  test('[BRG-02] another type, or none, is refused at `type`, and the error names the type', () => {
    expect(refusal(bridge, { ...READY, type: 'runtime_lost' })).toMatchObject(at('type', '"runtime_lost"'));
    expect(refusal(bridge, { ...READY, type: 'toString' })).toMatchObject(at('type', '"toString"'));
    expect(refusal(bridge, { ...READY, type: '' })).toMatchObject(at('type', 'got an empty string'));
    expect(refusal(bridge, { ...READY, type: 7 })).toMatchObject(at('type', 'got 7'));
    expect(refusal(bridge, without(READY, 'type'))).toMatchObject(at('type', 'got nothing'));
  });

  test('[BRG-03] text that is no JSON, or JSON that is no object, is refused with a coded error', () => {
    for (const text of ['', 'runtime_ready', '{"type":', "{'type':1}", 'null', '7', '"text"', '[{}]', 'true'])
      expect(refusalOfText(bridge, text)).toMatchObject(at(''));
  });

  test('[BRG-04] an item nested deeper than 64 levels is refused before its fields are checked', () => {
    const item = (levels: number) =>
      JSON.stringify(OUTPUT).replace(/"output":.*/, `"output":${nested(levels - 1)}}`);
    const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    expect(bridge.parse(item(64))).toMatchObject({ call_id: OUTPUT.call_id });
    expect(refusalOfText(bridge, item(65))).toMatchObject(at('', '64 levels'));
    expect(refusalOfText(bridge, `{"type":7,"deep":${nested(64)}}`)).toMatchObject(at('', '64 levels'));
  });

  test('[BRG-04] an item longer than the frame limit is refused before its fields are checked', () => {
    const limit = LIMITS.frame.value;
    expect(bridge.parse(JSON.stringify(OUTPUT).padEnd(limit))).toEqual(OUTPUT);
    expect(refusalOfText(bridge, JSON.stringify(OUTPUT).padEnd(limit + 1))).toMatchObject(
      at('', String(limit)),
    );
    expect(refusalOfText(bridge, '{"type":7}'.padEnd(limit + 1))).toMatchObject(at('', String(limit)));
  });

  test('[BRG-05] a `__proto__` key at any depth is refused, and no prototype changes', () => {
    const prototype = () => Object.entries(Object.getOwnPropertyDescriptors(Object.prototype));
    const before = prototype();
    const call = (inside: string) =>
      JSON.stringify(CALL).replace(/"arguments":\{[^}]*\}/, `"arguments":${inside}`);
    const bad = '{"__proto__":{"polluted":true}}';
    expect(refusalOfText(bridge, bad)).toMatchObject(at('__proto__'));
    expect(refusalOfText(bridge, call(bad))).toMatchObject(at('arguments.__proto__'));
    expect(refusalOfText(bridge, call(`{"a":[1,${bad}]}`))).toMatchObject(at('arguments.a[1].__proto__'));
    expect(refusalOfText(bridge, call('{"\\u005f_proto__":1}'))).toMatchObject(at('arguments.__proto__'));
    expect(bridge.parse(call('{"proto":1,"text":"__proto__"}'))).toMatchObject({ call_id: CALL.call_id });
    expect(prototype()).toEqual(before);
  });

  test('[BRG-06] `runtimeId` is an unknown field and does not replace `runtime_id`', () => {
    const item = { ...READY, runtimeId: 'runtime-1' };
    expect(accepted(bridge, item)).toEqual(item);
    expect(refusal(bridge, without(item, 'runtime_id'))).toMatchObject(at('runtime_id'));
  });

  test('[BRG-07] unknown fields are kept, at the top and inside a known object', () => {
    const inside = [
      put(STATUS, 'attachments[0].extra', 1),
      put(CALL, 'target.extra', 1),
      put(ERROR, 'error.extra', 1),
    ];
    for (const item of [...ITEMS.map((item) => ({ ...item, extra: { a: 1 } })), ...inside])
      expect(accepted(bridge, item)).toEqual(item);
  });

  test('[BRG-08] a missing or mistyped field is refused with its path, the expected and the actual value', () => {
    const says = (item: unknown) => refusal(bridge, item).message;
    const id = 'a non-empty string of at most 256 characters';
    expect(says(without(ERROR, 'error.code'))).toBe(`bridge item: error.code must be ${id}; got nothing.`);
    expect(says(put(STATUS, 'attachments[1]', { id: 'a', state: 7 }))).toBe(
      `bridge item: attachments[1].state must be ${id}; got 7.`,
    );
    expect(says(put(CALL, 'arguments', []))).toBe(
      'bridge item: arguments must be an object; got a list of 0.',
    );
    expect(refusal(bridge, without(ERROR, 'error.code'))).toMatchObject(at('error.code'));
    expect(refusal(bridge, put(ERROR, 'error.recoverable', 'yes'))).toMatchObject(at('error.recoverable'));
  });

  test('[BRG-09] a required id or name has at least one character', () => {
    const id: Values = { good: ['x'], bad: ['', 7, null] };
    takes(READY, { runtime_id: id });
    takes(STATUS, { runtime_id: id, 'attachments[0].id': id });
    takes(CALL, { call_id: id, name: id });
    takes(OUTPUT, { call_id: id, runtime_id: id });
    takes(EVENT, { event_id: id, runtime_id: id, name: id });
  });

  test('[BRG-10] `observed_at` is a UTC time in every item', () => {
    takes(STATUS, { observed_at: time });
    takes(EVENT, { observed_at: time });
  });
});

describe('runtime_ready', () => {
  test('[BRG-11] requires type, runtime_id and url, and nothing else', () => {
    requiredFields(bridge, READY, ['type', 'runtime_id', 'url']);
    takes(READY, { runtime_id: word, url: word });
  });

  test('[BRG-12] runtime_key, authorization_id and extension_version are strings, manifest is an object', () =>
    takes(READY, { runtime_key: word, authorization_id: word, extension_version: word, manifest: object }));

  test('[BRG-13] host and title are strings, capabilities an array of strings, and all may be missing', () => {
    takes(READY, { host: word, title: word, capabilities: words, 'capabilities[0]': word });
    const { host, title, capabilities, ...rest } = READY;
    expect(accepted(bridge, rest)).toEqual(rest);
  });

  test('[BRG-14] manifest is any object: the map is not validated here', () => {
    const manifests = [{}, { protocol: 'actions.json', version: 1 }, { version: '1', tools: 7 }];
    takes(READY, { manifest: { good: manifests, bad: object.bad } });
  });

  test('[BRG-15] features is an array of strings', () =>
    takes(READY, { features: words, 'features[0]': word }));
});

describe('runtime_status', () => {
  test('[BRG-16] requires type and runtime_id, and nothing else', () => {
    const { attachments, ...status } = STATUS;
    requiredFields(bridge, status, ['type', 'runtime_id']);
  });

  test('[BRG-17] may carry url, states, attachments with id and state, and observed_at', () => {
    requiredFields(bridge, STATUS, ['type', 'runtime_id', 'attachments[0].id', 'attachments[0].state']);
    takes(STATUS, { url: word, states: words, 'states[0]': word, observed_at: time });
    takes(STATUS, {
      attachments: listOf({ id: 'a', state: 'b' }),
      'attachments[0]': { good: [], bad: object.bad },
    });
    takes(STATUS, { 'attachments[0].id': word, 'attachments[0].state': word });
  });
});

describe('action_call', () => {
  test('[BRG-18] requires type, call_id, name and arguments, and nothing else', () =>
    requiredFields(bridge, CALL, ['type', 'call_id', 'name', 'arguments']));

  test('[BRG-18] an action_call whose arguments are a string of JSON is refused', () =>
    takes(CALL, { arguments: { good: object.good, bad: ['{}', '{"sku":"tea"}', ...object.bad] } }));

  test('[BRG-19] the routing fields are strings, and none is required', () => {
    takes(CALL, {
      runtime_id: word,
      target_runtime_id: word,
      target_url_contains: word,
      target_title_contains: word,
    });
    takes(CALL, { target: object, 'target.runtime_id': word, 'target.runtime_key': word });
    const { type, call_id, name, arguments: args } = CALL;
    expect(accepted(bridge, { type, call_id, name, arguments: args })).not.toHaveProperty('target');
  });

  test('[BRG-20] timeout_ms is a whole number that is not negative, and may be missing', () => {
    takes(CALL, { timeout_ms: wholeFrom(0) });
    expect(accepted(bridge, without(CALL, 'timeout_ms'))).not.toHaveProperty('timeout_ms');
  });
});

describe('action_call_output', () => {
  test('[BRG-21] requires type, call_id, runtime_id and output', () =>
    requiredFields(bridge, OUTPUT, ['type', 'call_id', 'runtime_id', 'output']));

  test('[BRG-22] output is any JSON value and is unchanged', () => {
    const outputs = [null, false, 0, '', 'text', '{"ok":true}', [], [1, [2]], {}, { ok: { list: [null] } }];
    for (const output of outputs)
      expect(accepted(bridge, { ...OUTPUT, output })).toHaveProperty('output', output);
  });
});

describe('dom_event', () => {
  test('[BRG-23] requires type, event_id, runtime_id, name and payload', () =>
    requiredFields(bridge, EVENT, ['type', 'event_id', 'runtime_id', 'name', 'payload']));

  test('[BRG-24] event, url, previous_call_id and observed_at are strings, and may be missing', () => {
    takes(EVENT, { event: word, url: word, previous_call_id: word, observed_at: time });
    const { event, url, previous_call_id, observed_at, ...rest } = EVENT;
    expect(accepted(bridge, rest)).toEqual(rest);
  });
});

describe('action_error', () => {
  test('[BRG-25] requires type, error.code and error.message, but neither call_id nor runtime_id', () => {
    requiredFields(bridge, ERROR, ['type', 'error', 'error.code', 'error.message']);
    takes(ERROR, { 'error.code': word, 'error.message': word, call_id: word, runtime_id: word });
  });

  test('[BRG-26] severity is one of four words, recoverable a boolean, evidence an object, all optional', () => {
    takes(ERROR, { 'error.severity': oneOf('info', 'minor', 'major', 'critical') });
    takes(ERROR, { 'error.recoverable': flag, 'error.evidence': object });
    const bare = {
      type: 'action_error',
      error: { code: 'target_not_found', message: 'There is no such button.' },
    };
    expect(accepted(bridge, bare)).toEqual(bare);
  });

  test('[BRG-27] an unknown code parses', () =>
    takes(ERROR, { 'error.code': { good: ['owner_runtime_required', 'E-42'], bad: ['', 42] } }));
});
