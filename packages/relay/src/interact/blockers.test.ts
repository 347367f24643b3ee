import { expect, test } from 'vitest';
import { blockerOf } from './blockers.ts';

test.each([
  [['Password'], 'login_failure', ['password']],
  [['Email', 'Passwort'], 'login_failure', ['email', 'password']],
  [['code'], 'mfa_required', ['code']],
  [['One-time code'], 'mfa_required', ['code']],
  [['Postal code'], 'missing_info', ['text']],
  [['Shipping address'], 'missing_info', ['text']],
])('[INT-319] a question for %j is a blocker %s with fields %j', (missingInformation, type, types) => {
  const blocker = blockerOf({ status: 'needs_user_input', userQuestion: 'What is it?', missingInformation });
  expect(blocker?.type).toBe(type);
  expect(blocker?.requiredFields?.map((field) => field.type)).toEqual(types);
});

test.each([
  ['Too many requests. Try again in 5 minutes?', 'rate_limit', ['auto_retry'], 300],
  ['Zu viele Anfragen. In 2 Stunden weiter?', 'rate_limit', ['auto_retry'], 7_200],
  ['The rate limit is reached. Shall I go on later?', 'rate_limit', ['auto_retry'], 60],
  [
    'Your session has expired. Can you sign in?',
    'session_expired',
    ['user_action_on_web', 'provide_in_chat'],
  ],
  ['Access denied. Can you open it?', 'access_denied', ['user_action_on_web']],
  [
    'A cookie banner covers it. Accept or reject?',
    'cookie_consent',
    ['alternative_action', 'user_action_on_web'],
  ],
  ['The page did not load. Another way?', 'page_error', ['alternative_action']],
  ['Which of the 450 lamps?', 'missing_info', ['provide_in_chat', 'user_action_on_web']],
])('[INT-330] the question %j is a blocker %s', (userQuestion, type, resolutionMethods, seconds?: number) => {
  expect(blockerOf({ status: 'needs_user_input', userQuestion })).toEqual({
    ...{ type, description: userQuestion, userMessage: userQuestion, resolutionMethods },
    ...(seconds !== undefined && { retryAfterSeconds: seconds }),
  });
});

test('[INT-319] a question for a password after the session ended asks for the password', () => {
  const ask = { userQuestion: 'The session has expired. Which password?', missingInformation: ['password'] };
  expect(blockerOf({ status: 'needs_user_input', ...ask })?.type).toBe('login_failure');
});

test('[INT-332] a blocker has the confidence of the model that asks', () => {
  const ask = { status: 'needs_user_input', userQuestion: 'Which size?' } as const;
  expect(blockerOf(ask, 0.8)).toMatchObject({ type: 'missing_info', confidence: 0.8 });
  expect(blockerOf(ask)).not.toHaveProperty('confidence');
});
