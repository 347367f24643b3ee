import type { TaskState } from '@drawbridge/protocol';
import { useWords } from '@drawbridge/ui';
import {
  Ban,
  CircleAlert,
  CircleCheck,
  CircleHelp,
  CircleX,
  Clock,
  LoaderCircle,
  type LucideIcon,
  Pause,
} from '@drawbridge/ui/icons';

const LOOKS: Readonly<Record<TaskState, { readonly Icon: LucideIcon; readonly tone: string }>> = {
  queued: { Icon: Clock, tone: 'text-quiet' },
  running: { Icon: LoaderCircle, tone: 'text-accent' },
  waiting: { Icon: CircleAlert, tone: 'text-wait' },
  paused: { Icon: Pause, tone: 'text-wait' },
  completed: { Icon: CircleCheck, tone: 'text-done' },
  failed: { Icon: CircleX, tone: 'text-fail' },
  cancelled: { Icon: Ban, tone: 'text-quiet' },
  unknown: { Icon: CircleHelp, tone: 'text-wait' },
};

export function TaskStateMark({ state }: { readonly state: TaskState }) {
  const words = useWords();
  const { Icon, tone } = LOOKS[state];
  return (
    <span className={`flex shrink-0 items-center gap-1 text-meta whitespace-nowrap ${tone}`}>
      <Icon size={14} aria-hidden />
      {words.tasks.state[state]}
    </span>
  );
}
