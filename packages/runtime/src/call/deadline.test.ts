import { BridgeError } from '@drawbridge/protocol';
import { createFakeClock } from '@drawbridge/testbed';
import { expect, test } from 'vitest';
import { relayTabRefused } from '../address/control-plane.ts';
import { type Deadline, withDeadline } from './deadline.ts';

function setUp(timeoutMs = 1_000) {
  const fake = createFakeClock();
  const outside = new AbortController();
  const run = <Result>(work: (deadline: Deadline) => Promise<Result>) =>
    withDeadline(timeoutMs, fake, outside.signal, work);
  return { fake, cancel: (reason?: unknown) => outside.abort(reason), run };
}

const never = () => new Promise<never>(() => {});

test('[BRG-173] a call that ends with its tab at a page of the relay says so', async () => {
  const { fake, run, cancel } = setUp();
  const answer = expect(run(never)).rejects.toMatchObject({ evidence: { reason: 'control_plane' } });
  cancel(relayTabRefused());
  await fake.advanceAsync(200);
  await answer;
});

test('answers work that ends in time and leaves no timer', async () => {
  const { fake, run } = setUp();
  expect(await run(async () => 7)).toBe(7);
  expect(fake.pending()).toBe(0);
});

test('[BRG-98] [BRG-101] ends work that never ends at its deadline, with the time and the step', async () => {
  const { fake, run } = setUp();
  const answer = run((deadline) => {
    deadline.doing('cart.add: pointer.click');
    return never();
  });
  const ended = expect(answer).rejects.toMatchObject({
    code: 'handler_timeout',
    evidence: { elapsed_ms: 1_200, step: 'cart.add: pointer.click' },
  });
  await fake.advanceAsync(1_200);
  await ended;
  expect(fake.pending()).toBe(0);
});

test('[BRG-100] aborts work at the deadline and lets it report its step', async () => {
  const { fake, run } = setUp();
  const answer = run(
    ({ signal, remainingMs }) =>
      new Promise((_, reject) =>
        signal.addEventListener('abort', () =>
          reject(new BridgeError('handler_timeout', `Stopped with ${remainingMs()} ms left.`)),
        ),
      ),
  );
  const ended = expect(answer).rejects.toMatchObject({ message: 'Stopped with 0 ms left.' });
  await fake.advanceAsync(1_000);
  await ended;
});

test('[BRG-101] reports a timeout for work that fails because it was aborted, whatever its error', async () => {
  const { fake, run } = setUp();
  const answer = run(
    ({ signal }) =>
      new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(new Error('The socket hung up.'))),
      ),
  );
  const ended = expect(answer).rejects.toMatchObject({ code: 'handler_timeout' });
  await fake.advanceAsync(1_000);
  await ended;
});

test('reports a cancellation from outside before the deadline', async () => {
  const { fake, cancel, run } = setUp();
  const answer = run(never);
  const ended = expect(answer).rejects.toMatchObject({ code: 'cancelled', evidence: { elapsed_ms: 500 } });
  await fake.advanceAsync(300);
  cancel();
  await fake.advanceAsync(200);
  await ended;
});

test('keeps the error of work that fails before the deadline', async () => {
  const { run } = setUp();
  const failure = new BridgeError('target_not_found', 'There is no such button.');
  await expect(run(() => Promise.reject(failure))).rejects.toBe(failure);
});

test('[BRG-100] does nothing for a call that was cancelled or timed out in the queue', async () => {
  const cancelled = setUp();
  cancelled.cancel();
  const late = setUp(0);
  let ran = 0;
  const work = async () => ran++;
  await expect(cancelled.run(work)).rejects.toMatchObject({ code: 'cancelled' });
  await expect(late.run(work)).rejects.toMatchObject({ code: 'handler_timeout' });
  expect(ran).toBe(0);
});

test('reports work that fails synchronously and leaves no timer', async () => {
  const { fake, run } = setUp();
  const failing = () => {
    throw new BridgeError('runtime_not_ready', 'No map is loaded yet.');
  };
  await expect(run(failing)).rejects.toMatchObject({ code: 'runtime_not_ready' });
  expect(fake.pending()).toBe(0);
});
