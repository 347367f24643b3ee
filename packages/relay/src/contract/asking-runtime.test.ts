import type { Question } from '@drawbridge/protocol';
import { expect, onTestFinished, test } from 'vitest';
import { fresh, useRelay } from '../../test/contract/contract-harness.ts';
import { answerOf } from '../../test/contract/frames.ts';
import { coreClock } from '../../test/server/test-relay.ts';
import { createPromptAsker } from '../approvals/prompt-asker.ts';

const harness = useRelay({ alone: true });

const NEVER_WITHDRAWN = new AbortController().signal;

function startAsker() {
  const { core } = harness.relay;
  if (core === undefined) throw new Error('The relay is not alone.');
  const device_id = fresh('device');
  const asker = createPromptAsker({ core, clock: coreClock(harness.clock), device_id, label: 'Chrome' });
  onTestFinished(asker.close);
  return asker;
}

const question = (): Question => ({
  question_id: fresh('question'),
  runtime_id: 'runtime_1',
  call_id: 'call_1',
  origin: 'https://shop.example',
  name: 'pay',
  effect: 'irreversible',
  sentence: 'Pay 12 € for seeds.',
  data: ['card: ••••'],
  call_hash: 'hash of the call',
  expires_at: harness.clock.now() + 20_000,
});

test('[CHT-229] a runtime’s question reaches people as a prompt, and their answer reaches the runtime', async () => {
  const { session_id, ask } = startAsker();
  const person = await harness.connect(await harness.device('person', { label: 'Phone' }));
  const answer = ask(question(), NEVER_WITHDRAWN);
  const { prompt_id, prompt_text } = await person.next('permission_prompt', { session_id });
  expect(prompt_text).toContain('Pay 12 € for seeds.');
  person.send(answerOf(session_id, prompt_id, { choice_id: 'once', request_id: fresh('answer') }));
  await person.next('agent_control_result', { result: 'ok' });
  expect(await answer).toEqual({ decision: 'once', call_hash: 'hash of the call', by: 'Phone' });
});

test('[CHT-229] an unanswered question is denied', async () => {
  const { session_id, ask } = startAsker();
  const person = await harness.connect('person');
  const answer = ask(question(), NEVER_WITHDRAWN);
  await person.next('permission_prompt', { session_id });
  harness.clock.advance(20_000);
  await person.next('permission_prompt_expired', { session_id, applied_choice: 'deny' });
  expect(await answer).toMatchObject({ decision: 'deny' });
});
