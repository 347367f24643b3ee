import { stepActionOf, valueLines } from '@drawbridge/protocol/sentences';
import { Button, Confirm, Notice, PlanSteps, saveFile, TextField, useWords } from '@drawbridge/ui';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { problemText } from '../client/request.ts';
import { type Task, taskApi } from '../client/task-api.ts';
import { navigate, sessionPath } from '../route.ts';
import { goToDecision, useWaitingSession } from './keyboard.tsx';
import { LiveView } from './live-view.tsx';
import { type Step, useTaskFeed } from './use-task-feed.ts';

const TaskReplay = lazy(() => import('./task-replay.tsx').then((all) => ({ default: all.TaskReplay })));

/** Controls in each state of a task; the relay validates them. */
const CONTROLS: Readonly<Record<Task['state'], readonly (keyof typeof taskApi.controls)[]>> = {
  queued: [],
  running: ['pause', 'takeover'],
  waiting: ['takeover'],
  paused: ['goOn'],
  completed: ['retry'],
  failed: ['retry'],
  cancelled: ['retry'],
  unknown: ['retry'],
};

export interface TaskDetailsProps {
  readonly task: Task;
  readonly onTask: (task: Task) => void;
}

export function TaskDetails({ task, onTask }: TaskDetailsProps) {
  const words = useWords();
  const feed = useTaskFeed(task.task_id, onTask);
  const steps = [...feed.steps.values()];
  const waiting = useWaitingSession();
  const [problem, setProblem] = useState<string>();
  const [isCancelling, setCancelling] = useState(false);
  const [isWatched, setWatched] = useState(false);
  const [isReplayed, setReplayed] = useState(false);
  const { task_id, session_id, state, note, question, error, settled_at, runs_on } = task;
  const attempted = (work: Promise<void>): void => {
    setProblem(undefined);
    work.catch((fault: unknown) => setProblem(problemText(fault, words)));
  };
  const tried = (work: Promise<Task>): void => attempted(work.then(onTask));
  return (
    <div className="flex flex-col gap-3 px-4 pb-4">
      {problem ? (
        <Notice meaning="fail" className="rounded-card">
          {problem}
        </Notice>
      ) : null}
      {error ? (
        <Notice meaning="fail" className="rounded-card">
          {words.reason(error.message)}
        </Notice>
      ) : null}
      {note && settled_at === null ? <p className="text-meta text-quiet">{note}</p> : null}
      {note && settled_at === null && waiting !== undefined ? (
        <Button look="primary" className="self-start" onClick={() => goToDecision(waiting)}>
          {words.keys.decision}
        </Button>
      ) : null}
      {question ? (
        <Question text={question} onAnswer={(text) => tried(taskApi.answer(task_id, text))} />
      ) : null}
      {feed.plan ? <PlanSteps steps={feed.plan.steps} /> : null}
      <StepList steps={steps} />
      {settled_at !== null && !error ? <Result task={task} /> : null}
      {isReplayed ? (
        <Suspense>
          <TaskReplay steps={steps} />
        </Suspense>
      ) : null}
      {isWatched && runs_on !== undefined ? <LiveView runtime_id={runs_on} /> : null}
      <div className="flex flex-wrap gap-2">
        {CONTROLS[state].map((control) => (
          <Button key={control} onClick={() => tried(taskApi.controls[control](task_id))}>
            {words.tasks[control]}
          </Button>
        ))}
        {runs_on !== undefined && settled_at === null ? (
          <Button onClick={() => setWatched(!isWatched)}>
            {isWatched ? words.tabs.unwatch : words.tabs.watch}
          </Button>
        ) : null}
        {steps.length > 0 ? (
          <Button aria-expanded={isReplayed} onClick={() => setReplayed(!isReplayed)}>
            {isReplayed ? words.replay.close : words.replay.open}
          </Button>
        ) : null}
        <Button onClick={() => navigate(sessionPath(session_id))}>{words.tasks.talk}</Button>
        {settled_at === null ? (
          <Button look="danger" onClick={() => setCancelling(true)}>
            {words.tasks.cancel}
          </Button>
        ) : (
          <Button
            look="quiet"
            className="self-center px-1 text-meta text-accent underline underline-offset-2"
            onClick={() =>
              attempted(taskApi.trace(task_id).then((file) => saveFile(file, 'drawbridge-task.json')))
            }
          >
            {words.tasks.trace}
          </Button>
        )}
      </div>
      {isCancelling ? (
        <Confirm
          title={words.tasks.cancelAsk}
          says={words.tasks.cancelSays}
          action={words.tasks.cancel}
          onClose={() => setCancelling(false)}
          onConfirm={() => tried(taskApi.cancel(task_id))}
        />
      ) : null}
    </div>
  );
}

function StepList({ steps }: { readonly steps: readonly Step[] }) {
  const words = useWords();
  if (steps.length === 0) return null;
  return (
    <ol aria-label={words.tasks.progress} className="flex flex-col gap-1 text-meta">
      {steps.map(({ index, subject, action, status, error }) => (
        <li key={index} className="flex gap-2">
          <span className="shrink-0 text-quiet tabular-nums">{index + 1}.</span>
          <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
            {stepActionOf(action, subject, words.deed)}
            {error ? <span className="text-fail"> {words.reason(error.message)}</span> : null}
          </span>
          <span className={`shrink-0 ${status === 'failed' ? 'text-fail' : 'text-quiet'}`}>
            {words.talk.step[status]}
          </span>
        </li>
      ))}
    </ol>
  );
}

function Question({ text, onAnswer }: { readonly text: string; readonly onAnswer: (text: string) => void }) {
  const words = useWords();
  const [answer, setAnswer] = useState('');
  return (
    <form
      aria-label={words.prompt.question}
      className="rounded-card border border-wait/50 bg-wait-soft p-3"
      onSubmit={(event) => {
        event.preventDefault();
        onAnswer(answer);
        setAnswer('');
      }}
    >
      <p className="mb-2 font-medium whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</p>
      <div className="flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <TextField
            label={words.tasks.answer}
            value={answer}
            onChange={({ target }) => setAnswer(target.value)}
          />
        </div>
        <Button look="primary" type="submit" disabled={answer.trim() === ''}>
          {words.tasks.send}
        </Button>
      </div>
    </form>
  );
}

function Result({ task: { message, result } }: { readonly task: Task }): ReactNode {
  const words = useWords();
  return (
    <section aria-label={words.tasks.result}>
      {message ? <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{message}</p> : null}
      {result === undefined ? null : (
        <p dir="auto" className="mt-2 whitespace-pre-wrap rounded-md bg-sunken p-3 [overflow-wrap:anywhere]">
          {valueLines(result).join('\n')}
        </p>
      )}
    </section>
  );
}
