import { join } from 'node:path';
import { Parser } from '@asyncapi/parser';
import { CATALOG, type ProtocolName } from '@drawbridge/protocol/catalog';
import { describe, expect, test } from 'vitest';
import { asyncApiDocument } from './asyncapi.ts';
import { readInputs } from './inputs.ts';

const document = asyncApiDocument(readInputs(join(import.meta.dirname, '../..')));
const parser = new Parser();

const ERROR_SEVERITY = 0;

/** Errors that the official parser reports for a document. */
async function errorsIn(text: string): Promise<readonly string[]> {
  const { diagnostics } = await parser.parse(text);
  return diagnostics
    .filter(({ severity }) => severity === ERROR_SEVERITY)
    .map(({ path, message }) => `${path.join('/')}: ${message}`);
}

describe('the official parser', () => {
  test('accepts the document', async () => {
    expect(await errorsIn(JSON.stringify(document))).toEqual([]);
  });

  test('refuses a document without a title', async () => {
    const broken = JSON.stringify({ ...document, info: { version: '0.1.0' } });
    expect(await errorsIn(broken)).toContain('info: "info" property must have required property "title"');
  });

  test('refuses an operation that names an unknown message', async () => {
    const broken = JSON.stringify(document).replace(
      '#/channels/chat/messages/send_message',
      '#/channels/chat/messages/send_a_message',
    );
    expect(await errorsIn(broken)).not.toEqual([]);
  });

  test('refuses a payload that is no JSON Schema', async () => {
    const broken = JSON.stringify(document).replace('"type":"integer"', '"type":"whole number"');
    expect(await errorsIn(broken)).not.toEqual([]);
  });
});

const { document: parsed } = await parser.parse(JSON.stringify(document));

/** Messages of a channel's operations, by operation id. */
function messagesByOperation(address: string): Readonly<Record<string, readonly (string | undefined)[]>> {
  const operations = parsed?.operations().all() ?? [];
  return Object.fromEntries(
    operations
      .filter((operation) =>
        operation
          .channels()
          .all()
          .some((channel) => channel.address() === address),
      )
      .map((operation) => [
        operation.id(),
        operation
          .messages()
          .all()
          .map((message) => message.name()),
      ]),
  );
}

test('there is a channel for each WebSocket of the relay', () => {
  const addresses = parsed
    ?.channels()
    .all()
    .map((channel) => channel.address());
  expect(addresses).toEqual(['/ws/chat', '/ws/runtime', '/ws/agent', '/ws/tasks', '/', '/app/{key}']);
});

test("operations are described from the relay's side", () => {
  expect(messagesByOperation('/ws/agent')).toEqual({
    agentReceiveFromAgent: ['action_call', 'agent_hello', 'action_cancel'],
    agentSendToAgent: [
      ...['runtime_ready', 'runtime_status', 'action_call_output', 'dom_event', 'action_error'],
      ...['agent_hello', 'action_progress', 'runtime_gone', 'person_message'],
    ],
  });
  expect(messagesByOperation('/ws/tasks')).toEqual({
    tasksReceiveFromExtension: ['task_accepted', 'task_rejected', 'execution_event', 'pong'],
    tasksSendToExtension: ['execute_task', 'ping'],
  });
});

const ADDRESSES: readonly (readonly [ProtocolName, readonly string[]])[] = [
  ['bridge', ['/ws/runtime', '/ws/agent']],
  ['chat', ['/ws/chat']],
  ['tasks', ['/ws/tasks']],
  ['tasks', ['/']],
  ['pusher', ['/app/{key}']],
];

test.each(ADDRESSES)('every message of %s is sent or received at %j', (protocol, addresses) => {
  const named = addresses.flatMap((address) => Object.values(messagesByOperation(address)).flat());
  expect(Object.keys(CATALOG[protocol]).filter((kind) => !named.includes(kind))).toEqual([]);
});
