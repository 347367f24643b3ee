import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { StepAnswer } from '@drawbridge/brain';
import { expect, test } from 'vitest';
import { FIRST, startInteract } from '../../test/interact/interact-harness.ts';

/** Examples of the contract, from the fixtures of the protocol package. */
const FIXTURES = join(dirname(createRequire(import.meta.url).resolve('@drawbridge/protocol')), '../fixtures');
const example = (path: string) => JSON.parse(readFileSync(join(FIXTURES, `${path}.json`), 'utf8'));

function trustAnswer(data: object): StepAnswer {
  return data as StepAnswer;
}

test('[INT-39] [INT-41] [INT-44] [INT-45] [INT-46] the example answers leave the server as the contract prints them', async () => {
  for (const name of ['next_step', 'bare_step.set_value', 'bare_step.click', 'needs_context']) {
    const printed = example(`interact-response/${name}`);
    const { taskId: _task, sessionId: _session, ...data } = printed.data ?? printed;
    const { call } = await startInteract(() => trustAnswer(data));
    const { body } = await call(FIRST);
    expect(body).toMatchObject({ success: true, data });
    expect([name, 'taskId' in body.data]).toEqual([name, name !== 'needs_context']);
  }
});

test('[INT-38] accepts the example pages as requests carry them', async () => {
  const { call, brain } = await startInteract();
  for (const name of ['page', 'page.advanced']) {
    const { mode, url, title, interactive_tree, ...signs } = example(`semantic/${name}`);
    const request = {
      url,
      query: 'Go',
      domMode: mode,
      pageTitle: title,
      interactiveTree: interactive_tree,
      ...signs,
    };
    expect((await call(request)).status).toBe(200);
    expect(brain.inputs.at(-1)?.request).toEqual(request);
  }
  const semanticNodes = example('semantic/nodes_v2');
  expect((await call({ url: FIRST.url, query: 'Go', domMode: 'semantic', semanticNodes })).status).toBe(200);
  expect(brain.inputs.at(-1)?.request).toMatchObject({ semanticNodes });
});

test('[INT-58] the message list has the keys of the example', async () => {
  const printed = example('session/session_messages');
  const { call, get } = await startInteract(({ memory }) =>
    memory === undefined
      ? {
          thought: printed.messages[1].content,
          action: printed.messages[1].actionString,
          status: 'executing',
        }
      : { thought: 'Done.', action: 'finish()', status: 'completed' },
  );
  const { taskId, sessionId } = (await call({ ...FIRST, query: printed.messages[0].content })).body.data;
  await call({ ...FIRST, taskId, query: printed.messages[0].content, lastActionStatus: 'success' });
  const { body } = await get(`/api/session/${sessionId}/messages`);
  expect(Object.keys(body).sort()).toEqual(Object.keys(printed).sort());
  const strip = ({ messageId: _id, timestamp: _at, ...message }: Record<string, unknown>) => message;
  expect(body.messages.slice(0, 2).map(strip)).toMatchObject(printed.messages.map(strip));
});
