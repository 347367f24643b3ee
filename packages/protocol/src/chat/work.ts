import { isObject } from '../wire/json-text.ts';
import { planSteps } from './content-blocks.ts';
import type { MessageDetails } from './message-details.ts';
import type { Activity } from './session.ts';

/** An agent's work, as newer peers report it in the activity. */
export interface Work {
  readonly goal?: string;
  /** Undefined where nobody knows: an idle agent may have paused its goal itself. */
  readonly goalState?: 'active' | 'paused';
  readonly current?: string;
  readonly thinking?: string;
  readonly usage?: string;
  readonly steps?: Extract<MessageDetails, { kind: 'plan' }>['steps'];
}

/** The first of these fields that has a text; a text stands for itself. */
function textIn(value: unknown, ...keys: readonly string[]): string | undefined {
  const all = isObject(value) ? keys.map((key) => value[key]) : [value];
  return all.find((each): each is string => typeof each === 'string' && each.trim() !== '')?.slice(0, 4_096);
}

/** No field is required, and none has a fixed shape. */
export function workOf(activity: Partial<Activity> = {}): Work {
  const { goal, current, thinking, usage, task_list } = activity;
  const texts = {
    goal: textIn(goal, 'text', 'objective', 'label'),
    current: textIn(current, 'label', 'kind'),
    thinking: textIn(thinking, 'text'),
    usage: textIn(usage, 'title', 'detail', 'state'),
  };
  const goalState = goalStateOf(activity);
  const steps = isObject(task_list) ? planSteps(task_list) : [];
  return {
    ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined)),
    ...(goalState && { goalState }),
    ...(steps.length > 0 && { steps }),
  };
}

function goalStateOf({ kind, goal, goal_state }: Partial<Activity>): Work['goalState'] {
  const said = [goal_state, isObject(goal) ? (goal['state'] ?? goal['status']) : undefined];
  if (said.includes('paused')) return 'paused';
  return goal !== undefined && (said.includes('active') || kind !== 'idle') ? 'active' : undefined;
}
