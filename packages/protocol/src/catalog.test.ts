import { expect, test } from 'vitest';
import { CATALOG, type ProtocolName } from './catalog.ts';
import { isObject } from './wire/json-text.ts';

const SNAKE_CASE = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;
const CAMEL_CASE = /^[a-z][a-z0-9]*([A-Z][a-z0-9]*)*$/;

interface Casing {
  readonly protocol: ProtocolName;
  readonly casing: RegExp;
  /** Two-word names of the contract that show its casing. */
  readonly suchAs: readonly string[];
  readonly butFor?: readonly string[];
}

const CASINGS: readonly Casing[] = [
  {
    protocol: 'bridge',
    casing: SNAKE_CASE,
    suchAs: ['runtime_id', 'target_url_contains', 'previous_call_id'],
  },
  { protocol: 'chat', casing: SNAKE_CASE, suchAs: ['client_message_id', 'protocol_version', 'is_default'] },
  {
    protocol: 'manifest',
    casing: SNAKE_CASE,
    suchAs: ['input_schema', 'x_actions', 'settle_after', 'on_fail'],
  },
  { protocol: 'pusher', casing: SNAKE_CASE, suchAs: ['channel_data', 'user_data', 'user_id'] },
  { protocol: 'pusher-http', casing: SNAKE_CASE, suchAs: ['socket_id'] },
  { protocol: 'tasks', casing: CAMEL_CASE, suchAs: ['taskId', 'maxSteps'] },
  {
    protocol: 'session',
    casing: CAMEL_CASE,
    suchAs: ['sessionId', 'messageId', 'sequenceNumber', 'isRenamed'],
  },
  { protocol: 'interact-response', casing: CAMEL_CASE, suchAs: ['actionDetails', 'currentStepIndex'] },
  {
    protocol: 'interact-request',
    casing: CAMEL_CASE,
    suchAs: ['interactiveTree', 'domMode', 'clientObservations', 'isInShadow'],
    butFor: [
      'dom_filtered',
      'errors_detected',
      'filter_reason',
      'original_node_count',
      'success_messages',
      'token_reduction',
      'verification_message',
      'verification_passed',
    ],
  },
];

function fieldNames(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(fieldNames);
  if (!isObject(schema)) return [];
  const { properties, items, anyOf, additionalProperties } = schema;
  const fields = isObject(properties) ? properties : {};
  return [
    ...Object.keys(fields),
    ...fieldNames([...Object.values(fields), items, anyOf, additionalProperties]),
  ];
}

test.each(CASINGS)(
  '$protocol writes every field name in its casing',
  ({ protocol, casing, suchAs, butFor = [] }) => {
    const names = [...new Set(fieldNames(Object.values(CATALOG[protocol])))].sort();
    expect(names.filter((name) => !casing.test(name))).toEqual(butFor);
    expect(names).toEqual(expect.arrayContaining([...suchAs]));
  },
);

test('every protocol has a casing', () =>
  expect(CASINGS.map(({ protocol }) => protocol).sort()).toEqual(Object.keys(CATALOG).sort()));

test('message types are in snake_case, and Pusher events have their prefix', () => {
  const { pusher, ...others } = CATALOG;
  for (const kind of Object.values(others).flatMap((schemas) => Object.keys(schemas)))
    expect(kind).toMatch(SNAKE_CASE);
  for (const event of Object.keys(pusher))
    expect(event).toMatch(/^(pusher(_internal)?:[a-z_]+|channel_event)$/);
});
