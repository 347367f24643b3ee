import {
  type InteractRequest,
  interactRequest,
  interactResponse,
  type SemanticNode,
  tasks,
} from '@drawbridge/protocol';
import { createFakeClock } from '@drawbridge/testbed';
import { createTaskControl } from '../../src/task/control.ts';
import type { DeciderAnswer } from '../../src/task/decider.ts';
import { type RunTaskOptions, runTask } from '../../src/task/run-task.ts';
import type { TaskStepEvent } from '../../src/task/task-event.ts';
import type { ActEffect, Acted, Perceived, TaskPage } from '../../src/task/task-page.ts';

const NODES: readonly SemanticNode[] = [
  { i: '7', r: 'btn', n: 'Add to cart' },
  { i: '8', r: 'inp', n: 'Password' },
];

export const PAGE: Perceived = { url: 'https://shop.test/', title: 'Shop', interactiveTree: NODES };

export const EFFECT: ActEffect = {
  happened: true,
  didUrlChange: false,
  didDomMutate: true,
  didNetworkOccur: false,
  changes: ['+9 btn Undo'],
  events: [],
  passed: true,
  message: 'click: 1 added',
  errors: [],
  successes: [],
};

export const DONE: Extract<Acted, { ok: true }> = {
  ok: true,
  effect: EFFECT,
  after: { url: PAGE.url, title: PAGE.title },
};

type Reply =
  | DeciderAnswer
  | ((request: InteractRequest, signal: AbortSignal) => DeciderAnswer | Promise<DeciderAnswer>);

export const doing = (action: string, more: object = {}): DeciderAnswer => {
  const response = interactResponse.read({ success: true, data: { thought: 'Because.', action, ...more } });
  if (!('data' in response)) throw new Error(`${action} is no answer of a mind.`);
  return response.data;
};

export const asking = (data: object): DeciderAnswer => {
  const response = interactResponse.read({ success: true, data });
  if (!('data' in response)) throw new Error('That is no answer of a mind.');
  return response.data;
};

/** A task on an in-memory page with a scripted decider. Every request and event is validated against its schema. */
export function scriptedTask(
  replies: readonly Reply[],
  options: Partial<RunTaskOptions> & { pageOverrides?: Partial<TaskPage> } = {},
) {
  const { pageOverrides, onEvent, ...given } = options;
  const clock = createFakeClock(1_000);
  const control = given.control ?? createTaskControl();
  const requests: InteractRequest[] = [];
  const keys: string[] = [];
  const events: TaskStepEvent[] = [];
  const acts: string[] = [];
  const lines = [...replies];
  const running = () =>
    runTask({
      task: { taskId: 'task-1', query: 'Put a lamp into the cart', maxSteps: 10 },
      clock,
      control,
      decider: {
        interact: async (request, signal, key) => {
          requests.push(interactRequest.read(JSON.parse(JSON.stringify(request))));
          keys.push(key);
          const reply = lines.shift();
          if (reply === undefined) throw new Error('The mind has no more lines.');
          return typeof reply === 'function' ? reply(request, signal) : reply;
        },
      },
      page: {
        perceive: async () => PAGE,
        describe: async () => ({ selectorPath: '[data-testid="add"]' }),
        act: async ({ action }) => {
          acts.push(`${action.name}(${action.args.join()})`);
          return DONE;
        },
        ...pageOverrides,
      },
      onEvent: async (event) => {
        tasks.read({ type: 'execution_event', taskId: 'task-1', event: event.event, timestamp: clock.now() });
        // Serialized as in a ledger.
        events.push(JSON.parse(JSON.stringify(event)));
        await onEvent?.(event);
      },
      ...given,
    });
  return {
    clock,
    control,
    requests,
    keys,
    events,
    acts,
    running,
    /** "act.ok 0" and so on. */
    told: () => events.map(({ event }) => `${event.state} ${event.data.step}`),
  };
}
