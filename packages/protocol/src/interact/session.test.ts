import { expect, test } from 'vitest';
import { SESSION_SAMPLES } from '../../test/interact/samples.ts';
import { accepted, fieldTakes, put, refusal, requiredFields, without } from '../../test/wire/parse.ts';
import { flag, id, label, object, oneOf, text, textUpTo, time, wholeFrom } from '../../test/wire/values.ts';
import { newMessage, sessionFound, sessionMessages, sessionRename } from './protocol.ts';

const { session_found, session_rename, session_messages, new_message } = SESSION_SAMPLES;

const refusedAt = (path: string) => ({ code: 'invalid_request', path });

test('[INT-55] a session has sessionId, title and isRenamed', () => {
  requiredFields(sessionFound, session_found, [
    'session',
    'session.sessionId',
    'session.title',
    'session.isRenamed',
  ]);
  fieldTakes(sessionFound, session_found, 'session.sessionId', id);
  fieldTakes(sessionFound, session_found, 'session.title', label);
  fieldTakes(sessionFound, session_found, 'session.isRenamed', flag);
  fieldTakes(sessionFound, session_found, 'session.tabId', wholeFrom(1));
  for (const field of ['createdAt', 'updatedAt'])
    fieldTakes(sessionFound, session_found, `session.${field}`, time);
  fieldTakes(sessionFound, session_found, 'session.domain', textUpTo(255));
  fieldTakes(sessionFound, session_found, 'session.url', { good: ['https://pay.example/'], bad: [7, null] });
  fieldTakes(sessionFound, session_found, 'session.metadata', {
    good: [{}, { any: 1 }],
    bad: ['none', null, []],
  });
  for (const field of ['initialUrl', 'initialDomain'])
    fieldTakes(sessionFound, session_found, `session.metadata.${field}`, {
      good: ['shop.example'],
      bad: [7, null],
    });
});

test('[INT-56] the by-domain answer is a session or null', () => {
  fieldTakes(sessionFound, session_found, 'session', { good: [null], bad: ['none', 7, [], true] });
  expect(refusal(sessionFound, {})).toMatchObject(refusedAt('session'));
  expect(refusal(sessionFound, session_found.session)).toMatchObject(refusedAt('session'));
});

test('[INT-57] a rename has a title of 1 to 500 characters', () => {
  requiredFields(sessionRename, session_rename, ['title']);
  fieldTakes(sessionRename, session_rename, 'title', textUpTo(500, 1));
});

const MESSAGE = ['messageId', 'role', 'content', 'timestamp'];

test('[INT-58] a message list has sessionId, messages and total', () => {
  requiredFields(sessionMessages, session_messages, [
    'sessionId',
    'messages',
    'total',
    ...MESSAGE.map((field) => `messages[0].${field}`),
  ]);
  fieldTakes(sessionMessages, session_messages, 'messages', { good: [[]], bad: ['none', {}, null] });
  fieldTakes(sessionMessages, session_messages, 'total', { good: [0, 2], bad: ['2', null] });
  fieldTakes(sessionMessages, session_messages, 'sessionExists', flag);
});

/** A message is the same in a list and in a push. */
const messages = [
  ['a list', sessionMessages, session_messages, 'messages[0]'],
  ['a push', newMessage, new_message, 'message'],
] as const;

test.each(messages)(
  '[INT-59] a message in %s has its four fields and may have more',
  (_where, protocol, sample, at) => {
    const takes = (field: string, values: Parameters<typeof fieldTakes>[3]) =>
      fieldTakes(protocol, sample, `${at}.${field}`, values);
    for (const field of MESSAGE)
      expect(refusal(protocol, without(sample, `${at}.${field}`))).toMatchObject(refusedAt(`${at}.${field}`));
    takes('messageId', id);
    takes('role', oneOf('user', 'assistant', 'system'));
    takes('content', text);
    takes('timestamp', time);
    takes('status', oneOf('success', 'failure', 'pending'));
    takes('sequenceNumber', wholeFrom(0));
    takes('actionPayload', object);
    takes('actionString', text);
    takes('error', { good: ['No such element', { code: 'x' }, null], bad: [] });
    takes('domSummary', text);
    takes('metadata', object);
    for (const field of [
      'status',
      'actionPayload',
      'actionString',
      'error',
      'sequenceNumber',
      'domSummary',
      'metadata',
    ])
      expect(accepted(protocol, without(sample, `${at}.${field}`))).not.toHaveProperty(`${at}.${field}`);
  },
);

test('[INT-61] a new_message has its type, sessionId and a message with a role', () => {
  requiredFields(newMessage, new_message, [
    'type',
    'sessionId',
    'message',
    ...MESSAGE.map((field) => `message.${field}`),
  ]);
  fieldTakes(newMessage, new_message, 'type', { good: ['new_message'], bad: ['message', '', null] });
  fieldTakes(newMessage, new_message, 'sessionId', id);
  expect(refusal(newMessage, put(new_message, 'message.role', 'agent'))).toMatchObject(
    refusedAt('message.role'),
  );
});
