import type { TaskState } from '@drawbridge/protocol';
import { Button, IconButton, Notice } from '@drawbridge/ui';
import {
  CircleCheck,
  CircleHelp,
  CircleX,
  Hand,
  LoaderCircle,
  type LucideIcon,
  OctagonX,
  Pause,
  Play,
} from '@drawbridge/ui/icons';
import type { TabTask } from '../../wire.ts';
import { isOver } from '../conversation/rows.ts';
import { useCommand } from '../use-command.ts';
import { usePanelWords } from '../words/use-panel-words.ts';
import { PlanStepper } from './plan-stepper.tsx';

const LOOKS: Readonly<Record<TaskState, { readonly look: string; readonly Icon: LucideIcon }>> = {
  queued: { look: 'bg-accent-soft text-accent', Icon: LoaderCircle },
  running: { look: 'bg-accent-soft text-accent', Icon: LoaderCircle },
  waiting: { look: 'bg-wait-soft text-wait', Icon: LoaderCircle },
  paused: { look: 'bg-wait-soft text-wait', Icon: Pause },
  completed: { look: 'bg-done-soft text-done', Icon: CircleCheck },
  failed: { look: 'bg-fail-soft text-fail', Icon: CircleX },
  cancelled: { look: 'bg-sunken text-quiet', Icon: OctagonX },
  unknown: { look: 'bg-wait-soft text-wait', Icon: CircleHelp },
};

function Badge({ state }: { readonly state: TaskState }) {
  const words = usePanelWords();
  const { look, Icon } = LOOKS[state];
  return (
    <span
      data-state={state}
      className={`inline-flex shrink-0 items-center gap-1 rounded-full px-2 py-0.5 text-[11px] font-semibold tracking-wide ${look}`}
    >
      <Icon
        size={12}
        aria-hidden
        className={state === 'running' || state === 'queued' ? 'working-dot' : ''}
      />
      {words.task.states[state]}
    </span>
  );
}

/** INT-166: prompt and state, above the conversation. */
export function TaskHeader({ task, isTight }: { readonly task: TabTask; readonly isTight: boolean }) {
  const words = usePanelWords();
  const { tabId, state, query, takenOver, from } = task;
  const { run, doing, problem } = useCommand();
  const isEnded = isOver(state);
  const note = state in words.task.notes ? words.task.notes[noteOf(state)] : undefined;
  const said = [from === 'server' ? words.task.fromServer : undefined, takenOver ? undefined : note];
  const isPaused = state === 'paused' && !takenOver;
  return (
    <section aria-label={words.task.label} className="border-b border-line bg-surface">
      <div className="flex items-center gap-2 px-3 py-1.5">
        <div className="min-w-0 flex-1">
          <p role="status" className="flex items-center gap-2 text-meta text-quiet">
            <Badge state={state} />
            <span className="min-w-0 truncate">{said.filter(Boolean).join(' · ')}</span>
          </p>
          <h2 className="mt-0.5 truncate text-meta font-medium" title={query} dir="auto">
            {query}
          </h2>
        </div>
        {isEnded || takenOver ? null : (
          <>
            <IconButton
              label={isPaused ? words.task.resume : words.task.pause}
              icon={isPaused ? <Play size={17} aria-hidden /> : <Pause size={17} aria-hidden />}
              disabled={doing !== undefined}
              onClick={() => void run({ do: isPaused ? 'resume' : 'pause', tabId })}
            />
            <IconButton
              label={words.task.takeOver}
              icon={<Hand size={17} aria-hidden />}
              disabled={doing !== undefined}
              onClick={() => void run({ do: 'take_over', tabId })}
            />
          </>
        )}
      </div>
      {takenOver && !isEnded ? (
        <Notice
          meaning="wait"
          action={
            <Button
              look="primary"
              className="min-h-8 shrink-0 px-2 text-meta"
              disabled={doing !== undefined}
              onClick={() => void run({ do: 'hand_back', tabId })}
            >
              {words.task.handBack}
            </Button>
          }
        >
          {words.task.takenOver}
        </Notice>
      ) : null}
      {problem ? <Notice meaning="fail">{words.task.failed(problem)}</Notice> : null}
      <PlanStepper key={task.taskId} plan={task.plan} isOver={isEnded} isTight={isTight} />
    </section>
  );
}

const noteOf = (state: TaskState): 'queued' | 'waiting' | 'paused' | 'unknown' =>
  state === 'queued' || state === 'waiting' || state === 'paused' ? state : 'unknown';
