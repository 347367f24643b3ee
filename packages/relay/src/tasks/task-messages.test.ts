import { expect, test } from 'vitest';
import { eventMessage } from './task-messages.ts';

test('[INT-277] a step in the ledger masks a code that the page shows', () => {
  const message = eventMessage('t1_step_1', {
    type: 'execution',
    actor: 'system',
    state: 'task.pause',
    timestamp: 1,
    data: {
      taskId: 't1',
      step: 1,
      maxSteps: 5,
      details: 'The page says: your verification code is 482913',
    },
  });
  expect(JSON.stringify(message)).not.toContain('482913');
  expect(message).toMatchObject({ message_id: 't1_step_1', content: expect.stringContaining('•••') });
});
