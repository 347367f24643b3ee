import { expect, test } from 'vitest';
import { BridgeError } from './bridge-error.ts';
import { ERROR_CODES, type ErrorCode } from './error-codes.ts';

const isCode = (code: string): code is ErrorCode => Object.hasOwn(ERROR_CODES, code);

test.each(Object.keys(ERROR_CODES).filter(isCode))(
  '%s has its severity and recoverable from the table',
  (code) => {
    const { severity, recoverable } = ERROR_CODES[code];
    expect(new BridgeError(code, 'So it is.')).toMatchObject({ code, severity, recoverable, evidence: {} });
  },
);

test('a caller may override severity and recoverable', () => {
  const error = new BridgeError('handler_failed', 'The shop is closed.', {
    severity: 'info',
    recoverable: false,
    evidence: { opens: '09:00' },
  });
  expect(error).toMatchObject({ severity: 'info', recoverable: false, evidence: { opens: '09:00' } });
});

test('is an Error with name, message and stack', () => {
  const error = new BridgeError('unknown_action', 'There is no such action.');
  expect(error).toBeInstanceOf(Error);
  expect(error).toMatchObject({ name: 'BridgeError', message: 'There is no such action.' });
  expect(error.stack).toContain('There is no such action.');
});

test('has a wire form of five fields, without cause and stack', () => {
  const cause = new Error('password=hunter2');
  const error = new BridgeError('transport_failed', 'The socket closed.', {
    cause,
    evidence: { code: 1006 },
  });
  expect(error.cause).toBe(cause);
  expect(JSON.parse(JSON.stringify(error))).toEqual({
    code: 'transport_failed',
    message: 'The socket closed.',
    severity: 'major',
    recoverable: true,
    evidence: { code: 1006 },
  });
  expect(JSON.stringify({ error })).not.toContain('hunter2');
});

test('has no cause by default', () => {
  expect(new BridgeError('invalid_input', 'No.')).not.toHaveProperty('cause');
});
