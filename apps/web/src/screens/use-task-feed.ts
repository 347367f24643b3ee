import { parseDetails } from '@drawbridge/ui/model';
import { useEffect, useState } from 'react';
import { openEventStream } from '../client/event-stream.ts';
import { trustProblem } from '../client/request.ts';
import { type Task, type TaskEventLine, taskApi } from '../client/task-api.ts';

type Details = NonNullable<ReturnType<typeof parseDetails>>;
export type Step = Extract<Details, { kind: 'step' }>;
export type PlanDetails = Extract<Details, { kind: 'plan' }>;

export interface TaskFeed {
  /** By index: a step is sent again as it progresses. */
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

/** A task's live steps. The stream resumes after a loss, and ends with the task. */
export function useTaskFeed(task_id: string, onTask: (task: Task) => void): TaskFeed {
  const [feed, setFeed] = useState(NOTHING);
  useEffect(() => {
    setFeed(NOTHING);
    const close = openEventStream(taskApi.eventsUrl(task_id), {
      onEvent(name, data) {
        if (EVENTS.includes(name)) {
          const line = trustProblem<TaskEventLine>(data);
          setFeed((known) => withLine(known, line));
        }
        if (name === 'end') close();
        if (name === 'end' || name === 'state') onTask(trustProblem(data));
      },
    });
    return close;
  }, [task_id, onTask]);
  return feed;
}
