import { parseDetails } from '@drawbridge/ui/model';
import { useEffect, useState } from 'react';
import { parseTold } from '../client/request.ts';
import { type Task, type TaskEventLine, taskApi } from '../client/task-api.ts';

type Details = NonNullable<ReturnType<typeof parseDetails>>;
export type Step = Extract<Details, { kind: 'step' }>;
export type PlanDetails = Extract<Details, { kind: 'plan' }>;

export interface TaskFeed {
  /** By their index: a step is told again as it goes on. */
  readonly steps: ReadonlyMap<number, Step>;
  readonly plan: PlanDetails | undefined;
}

const NOTHING: TaskFeed = { steps: new Map(), plan: undefined };
const EVENTS = ['step', 'plan'];

function withLine(feed: TaskFeed, { details: loose }: TaskEventLine): TaskFeed {
  const details = parseDetails({ details: loose });
  if (details?.kind === 'plan') return { ...feed, plan: details };
  if (details?.kind !== 'step') return feed;
  return { ...feed, steps: new Map([...feed.steps, [details.index, details]]) };
}

/** What a task does, as it does it. The stream goes on by itself where it broke off, and ends with the task. */
export function useTaskFeed(task_id: string, onTask: (task: Task) => void): TaskFeed {
  const [feed, setFeed] = useState(NOTHING);
  useEffect(() => {
    setFeed(NOTHING);
    const stream = new EventSource(taskApi.eventsUrl(task_id));
    for (const name of EVENTS) {
      stream.addEventListener(name, (event) => {
        const line = parseTold<TaskEventLine>(event);
        setFeed((known) => withLine(known, line));
      });
    }
    stream.addEventListener('state', (event) => onTask(parseTold(event)));
    stream.addEventListener('end', (event) => {
      stream.close();
      onTask(parseTold(event));
    });
    return () => stream.close();
  }, [task_id, onTask]);
  return feed;
}
