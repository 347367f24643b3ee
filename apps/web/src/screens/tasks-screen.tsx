import { withScheme } from '@drawbridge/protocol';
import {
  Button,
  EmptyState,
  Notice,
  shortCount,
  TextAreaField,
  TextField,
  TimeAgo,
  useDictation,
  useWords,
  type Words,
} from '@drawbridge/ui';
import { useCallback, useEffect, useState } from 'react';
import { isAtHome, isOwner, useApp } from '../app-context.ts';
import { type ModelView, modelApi } from '../client/model-api.ts';
import { newId } from '../client/new-id.ts';
import { problemText } from '../client/request.ts';
import { type Task, taskApi } from '../client/task-api.ts';
import { navigate } from '../route.ts';
import { Card, ScreenFrame } from './screen-frame.tsx';
import { TaskDetails } from './task-details.tsx';
import { TaskStateMark } from './task-state.tsx';
import { usePolled } from './use-polled.ts';

const POLL_MS = 4_000;

export function TasksScreen() {
  const words = useWords();
  const { value: listed, problem, reload } = usePolled(taskApi.list, POLL_MS, words);
  /** Updates since the list was loaded, from a stream or an answer. */
  const [told, setTold] = useState<ReadonlyMap<string, Task>>(new Map());
  // One at a time: a browser has six connections to a relay without TLS.
  const [open, setOpen] = useState<string>();
  const onTask = useCallback(
    (task: Task) => {
      setTold((known) => new Map([...known, [task.task_id, task]]));
      setOpen(task.task_id);
      reload();
    },
    [reload],
  );
  const isFresh = (task: Task): boolean => listed?.every(({ task_id }) => task_id !== task.task_id) ?? true;
  const tasks = [
    ...[...told.values()].filter(isFresh).toReversed(),
    ...(listed ?? []).map((task) => newer(task, told.get(task.task_id))),
  ];
  const list = (shown: readonly Task[]) =>
    shown.length === 0 ? null : (
      <ul className="divide-y divide-line rounded-card border border-line bg-surface">
        {shown.map((task) => (
          <li key={task.task_id}>
            <button
              type="button"
              aria-expanded={open === task.task_id}
              onClick={() => setOpen(open === task.task_id ? undefined : task.task_id)}
              className="w-full rounded-card px-4 py-2 text-start hover:bg-sunken"
            >
              <span className="line-clamp-2 font-medium [overflow-wrap:anywhere]">{task.prompt}</span>
              <span className="flex flex-wrap items-center gap-x-3 text-meta text-quiet">
                <TaskStateMark state={task.state} />
                {task.steps > 0 ? <span>{words.tasks.steps(task.steps)}</span> : null}
                {task.usage?.tokens ? <span>{spentText(task.usage, words)}</span> : null}
                <TimeAgo at={task.created_at} />
              </span>
            </button>
            {open === task.task_id ? <TaskDetails task={task} onTask={onTask} /> : null}
          </li>
        ))}
      </ul>
    );
  return (
    <ScreenFrame title={words.tasks.title} says={words.tasks.says}>
      {/* A task that waits for a person comes before anything else. */}
      {list(tasks.filter(isWaiting))}
      <StartCard onStarted={onTask} />
      {problem ? <Notice meaning="fail">{problem}</Notice> : null}
      {list(tasks.filter((task) => !isWaiting(task)))}
      {tasks.length === 0 && listed !== undefined ? <EmptyState>{words.tasks.empty}</EmptyState> : null}
    </ScreenFrame>
  );
}

const isWaiting = ({ state }: Task): boolean => state === 'waiting';

/** `9.8 k tokens · $0.02` */
function spentText({ tokens, cost }: NonNullable<Task['usage']>, words: Words): string {
  const told = [words.tasks.tokens(shortCount(tokens))];
  if (cost !== undefined) told.push(`$${cost.toFixed(cost < 0.1 ? 4 : 2)}`);
  return told.join(' · ');
}

/** The list may have been requested before a newer update. */
const newer = (listed: Task, told: Task | undefined): Task =>
  told !== undefined && told.updated_at > listed.updated_at ? told : listed;

function StartCard({ onStarted }: { readonly onStarted: (task: Task) => void }) {
  const words = useWords();
  const [prompt, setPrompt] = useState('');
  const [url, setUrl] = useState('');
  const [key, setKey] = useState(newId);
  const [problem, setProblem] = useState<string>();
  const [isSending, setSending] = useState(false);
  // A new order needs a new key, even if the previous one got no answer.
  const ask = (text: string): void => {
    setPrompt(text);
    setKey(newId());
  };
  const dictation = useDictation(prompt, ask);
  const start = async (): Promise<void> => {
    setSending(true);
    setProblem(undefined);
    try {
      onStarted(
        await taskApi.start({ prompt, ...(url.trim() !== '' && { url: withScheme(url.trim()) }) }, key),
      );
      setPrompt('');
      setUrl('');
      setKey(newId());
    } catch (error) {
      setProblem(problemText(error, words));
    }
    setSending(false);
  };
  return (
    <Card>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          void start();
        }}
      >
        <TextAreaField
          label={words.tasks.prompt}
          value={prompt}
          rows={3}
          onChange={({ target }) => ask(target.value)}
        />
        {dictation?.note}
        <ModelHint onExample={ask} />
        <TextField
          label={words.tasks.url}
          inputMode="url"
          placeholder="https://"
          value={url}
          onChange={({ target }) => {
            setUrl(target.value);
            setKey(newId());
          }}
        />
        {problem ? (
          <Notice meaning="fail" className="rounded-card">
            {problem}
          </Notice>
        ) : null}
        <div className="flex gap-2">
          <Button look="primary" type="submit" disabled={prompt.trim() === '' || isSending}>
            {words.tasks.start}
          </Button>
          {dictation?.button}
        </div>
      </form>
    </Card>
  );
}

/** Whether a model decides; without one, requests that work. Only owners can change it. */
function ModelHint({ onExample }: { readonly onExample: (text: string) => void }) {
  const words = useWords();
  const { me } = useApp();
  const [model, setModel] = useState<ModelView>();
  const isAllowed = isAtHome(me);
  useEffect(() => {
    if (isAllowed) modelApi.view().then(setModel, () => {});
  }, [isAllowed]);
  if (model === undefined) return null;
  if (model.source !== 'rules')
    return (
      <p className="text-meta text-quiet">{words.tasks.withModel(model.model ?? model.provider ?? '')}</p>
    );
  return (
    <div className="flex flex-col gap-2 text-meta text-quiet">
      <p>
        {words.tasks.ruled}{' '}
        {isOwner(me) ? (
          <a
            href="/settings"
            className="text-accent underline underline-offset-2"
            onClick={(event) => {
              event.preventDefault();
              navigate('/settings');
            }}
          >
            {words.tasks.setModel}
          </a>
        ) : null}
      </p>
      <div className="flex flex-wrap gap-2">
        {words.tasks.examples.map((example) => (
          <Button
            key={example}
            className="min-h-8 rounded-full px-3 text-meta"
            onClick={() => onExample(example)}
          >
            {example}
          </Button>
        ))}
      </div>
    </div>
  );
}
