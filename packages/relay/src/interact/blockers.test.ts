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
