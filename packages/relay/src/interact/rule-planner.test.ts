import { createRulePlanner } from '@drawbridge/brain';
import { interactResponse } from '@drawbridge/protocol';
import { expect, test } from 'vitest';
import { FIRST, startInteract } from '../../test/interact/interact-harness.ts';

test('[INT-84] [INT-85] [INT-125] [INT-135] [INT-136] the rules complete a whole task, with a restart in the middle', async () => {
  const planner = createRulePlanner();
  const { relay, device } = await startInteract(undefined, { brain: () => planner });
  const call = async (url: string, body: object) => {
    const response = await fetch(`${url}/api/agent/interact`, {
      method: 'POST',
      headers: { authorization: `Bearer ${device.token}` },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    interactResponse.parse(text);
    return JSON.parse(text).data;
  };
  const query = 'Click the "Search" button';
  const first = await call(relay.url, { ...FIRST, query });
  expect(first).toMatchObject({ action: 'click(42)', actionDetails: { name: 'click', elementId: 42 } });
  const again = await relay.restart();
  const second = await call(again.url, {
    ...FIRST,
    query,
    taskId: first.taskId,
    url: 'https://www.google.com/results',
    previousUrl: FIRST.url,
    lastActionStatus: 'success',
    clientObservations: { didUrlChange: true },
    interactiveTree: [{ i: '7', r: 'link', n: 'SpaceX' }],
  });
  expect(second).toMatchObject({
    action: 'finish()',
    status: 'completed',
    taskId: first.taskId,
    sessionId: first.sessionId,
  });
  expect(await again.ledger.task(first.taskId)).toMatchObject({ state: 'completed' });
});
