import type { InteractRequest } from '@drawbridge/protocol';
import { type Reply, startScriptedModel } from '@drawbridge/testbed';
import { onTestFinished } from 'vitest';
import type { Step, StepInput, TaskMemory } from '../src/brain.ts';
import { type BrainOptions, createBrain } from '../src/create-brain.ts';
import { createModel } from '../src/models/index.ts';

export const NOW = Date.UTC(2030, 0, 1);
export const SHOP = 'https://shop.test/lamps';

export const TREE = [
  { i: '7', r: 'btn', n: 'Add to cart', xy: [600, 340] },
  { i: '13', r: 'inp', n: 'Search', v: '', xy: [400, 20] },
  { i: 'f2_9', r: 'link', n: 'Terms', f: 2 },
] satisfies InteractRequest['interactiveTree'];

export const onShop = (fields: Partial<InteractRequest> = {}): InteractRequest => ({
  url: SHOP,
  query: 'Put the lamp in the cart',
  domMode: 'semantic',
  interactiveTree: TREE,
  ...fields,
});

/** A model's answer; tests give only the fields that matter. */
export const says = (fields: Readonly<Record<string, unknown>>): Reply => ({
  text: JSON.stringify({
    thought: 'I go on.',
    step_done: false,
    plan: [],
    action: 'click',
    element: '',
    text: '',
    json: '',
    expect: { type: 'none', name: '', to: '' },
    confidence: 0.9,
    ...fields,
  }),
  usage: { inputTokens: 1_000, outputTokens: 100 },
});

/** A brain with a scripted model over HTTP, and the memory of one task between its steps. */
export async function startTask(replies: readonly Reply[], options: Omit<BrainOptions, 'model'> = {}) {
  const server = await startScriptedModel(replies);
  onTestFinished(() => server.close());
  const model = createModel({ provider: 'compatible', model: 'scripted', baseUrl: server.baseUrl });
  const brain = createBrain({ model, ...options });
  let memory: TaskMemory | undefined;
  return {
    step: async (request: InteractRequest, more: Partial<StepInput> = {}): Promise<Step['answer']> => {
      const step = await brain.step({ request, memory, said: [], now: NOW, ...more });
      // Round-trips through JSON, as the caller stores it.
      memory = JSON.parse(JSON.stringify(step.memory));
      return step.answer;
    },
    memory: () => memory,
    /** Everything in the model's n-th question, as text. */
    read: (turn: number) =>
      JSON.stringify(server.requests()[turn - 1]?.body['messages'])
        .replaceAll('\\n', '\n')
        .replaceAll('\\"', '"'),
    verify: () => server.verify(),
  };
}
