import type { Plan, TaskState } from '@drawbridge/protocol';
import type { LentTab, TabTask, TabTaskEvent, WorkerState } from '../../../src/wire.ts';

const BEGAN = Date.parse('2026-11-15T10:00:00Z');

export const LENT: LentTab = {
  tabId: 7,
  windowId: 1,
  runtimeKey: 'chrome-tab:7',
  title: 'Arc desk lamp – Shop',
  url: 'https://shop.example/lamps/arc',
  lentAt: BEGAN,
  trusted: false,
  questions: [],
};

/** A paired browser with a lent shop tab in front. */
export const STATE: WorkerState = {
  relay: { kind: 'online', url: 'http://127.0.0.1:7717', device: 'Chrome on Linux' },
  tabs: [LENT],
  front: { 1: { tabId: 7, title: LENT.title, url: LENT.url } },
  tasks: {},
  sessions: {},
  taskServer: { kind: 'off' },
  grants: [],
  settings: {
    taskServer: { on: false, url: 'ws://localhost:8080', connectSeconds: 10 },
    semantic: true,
    language: 'en',
    theme: 'system',
    sites: [],
  },
};

export const PLAN: Plan = {
  currentStepIndex: 1,
  steps: [
    { id: 'a', index: 0, description: 'Find the lamp', status: 'completed' },
    {
      id: 'b',
      index: 1,
      description: 'Put it into the cart',
      status: 'active',
      reasoning: 'It is the one that was named.',
    },
    { id: 'c', index: 2, description: 'Pay', status: 'pending' },
  ],
};

export const eventOf = (
  index: number,
  status: 'running' | 'ok' | 'failed',
  more: {
    readonly action: string;
    readonly subject?: string;
    readonly thought?: string;
    readonly error?: string;
  },
): TabTaskEvent => {
  const { action, subject, thought, error } = more;
  const state = ({ running: 'act.start', ok: 'act.ok', failed: 'act.fail' } as const)[status];
  return {
    event: {
      actor: 'navigator',
      state,
      type: 'execution',
      timestamp: BEGAN + index * 1_000,
      data: { taskId: 't1', step: index, maxSteps: 20, details: action },
    },
    step: {
      kind: 'step',
      task_id: 't1',
      index,
      action,
      status,
      ...(subject !== undefined && { subject }),
      ...(thought !== undefined && { thought }),
      ...(error !== undefined && { error: { code: 'action_failed', message: error } }),
    },
  };
};

export const taskOf = (state: TaskState, more: Partial<TabTask> = {}): TabTask => ({
  taskId: 't1',
  tabId: 7,
  query: 'Order the Arc desk lamp',
  from: 'panel',
  state,
  takenOver: false,
  events: [],
  startedAt: BEGAN,
  ...more,
});

export const withTask = (task: TabTask, state: WorkerState = STATE): WorkerState => ({
  ...state,
  tasks: { 7: task },
});

const STEPS: readonly TabTaskEvent[] = [
  eventOf(0, 'ok', {
    action: 'setValue(3, "desk lamp")',
    subject: 'Search',
    thought: 'The shop has a search field: the name of the lamp goes there.',
  }),
  eventOf(1, 'failed', {
    action: 'click(9)',
    subject: 'Arc',
    thought: 'The first of the results is the Arc.',
    error: 'Something else lies on top of it.',
  }),
  eventOf(2, 'ok', { action: 'click(12)', subject: 'Arc desk lamp' }),
  eventOf(3, 'running', {
    action: 'click(7)',
    subject: 'Add to cart',
    thought: 'It is the lamp that was named, and it can be had.',
  }),
];

const OTHER: LentTab = {
  ...LENT,
  tabId: 9,
  runtimeKey: 'chrome-tab:9',
  title: 'Trains to Basel',
  url: 'https://travel.example/search',
  doing: 'page.snapshot',
  trusted: true,
};

/** For screenshots: a browser with a running task. */
export const running: WorkerState = withTask(taskOf('running', { plan: PLAN, events: STEPS }), {
  ...STATE,
  tabs: [LENT, OTHER],
});

export const questioned: WorkerState = withTask(
  taskOf('waiting', {
    plan: PLAN,
    events: STEPS.slice(0, 3),
    question: {
      text: 'The lamp comes in black and in brass. Which one?',
      missing: ['colour', { field: 'delivery', description: 'Standard or express delivery' }],
    },
  }),
);

export const ended: WorkerState = withTask(
  taskOf('completed', {
    plan: {
      ...PLAN,
      currentStepIndex: 3,
      steps: PLAN.steps.map((step) => ({ ...step, status: 'completed' })),
    },
    events: [...STEPS.slice(0, 3), eventOf(3, 'ok', { action: 'click(7)', subject: 'Add to cart' })],
    message: 'The Arc desk lamp is ordered. It comes on **Thursday**.',
    endedAt: BEGAN + 41_000,
  }),
);

export const furnished: WorkerState = {
  ...STATE,
  grants: [
    { grant_id: 'g1', origin: '*', runtime_key: LENT.runtimeKey, covers: { effect: 'act' }, by: 'you' },
    {
      grant_id: 'g2',
      origin: 'https://shop.example',
      covers: { name: 'cart.add', effect: 'act' },
      by: 'Desk',
      expires_at: BEGAN + 86_400_000,
    },
    {
      grant_id: 'g3',
      origin: 'https://shop.example',
      covers: { name: 'form.submit:0a1b2c', effect: 'act' },
      by: 'Desk',
    },
  ],
  taskServer: { kind: 'waiting', url: 'ws://localhost:8080', why: 'nobody answers', nextTryAt: BEGAN },
  settings: {
    ...STATE.settings,
    taskServer: { on: true, url: 'ws://localhost:8080', connectSeconds: 10 },
    sites: [
      { origin: 'https://bank.example', rule: 'never' },
      { origin: 'https://mail.example', rule: 'ask' },
    ],
  },
};
