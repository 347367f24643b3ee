import type { Activity } from '@drawbridge/protocol';
import { CircleAlert, Pin, Unplug } from 'lucide-react';
import type { ReactNode } from 'react';
import { TimeAgo, useNow } from '../parts/time-ago.tsx';
import { headlineOf } from '../prompt/read-prompt.ts';
import { relative } from '../time-words.ts';
import { useWords } from '../words/use-words.ts';

export interface SessionRowProps {
  readonly name: string;
  readonly location: string;
  readonly line: string;
  /** The page of the open question, and when it runs out. */
  readonly asked?: { readonly page?: string; readonly expires_at?: string } | undefined;
  readonly at: number;
  readonly unread: number;
  readonly waits: number;
  readonly isPinned: boolean;
  readonly isAway: boolean;
  /** An agent that came by itself has no machine that could be offline. */
  readonly isOwnAgent?: boolean;
  readonly isWorking: boolean;
  readonly isChosen: boolean;
  readonly activity: Activity | undefined;
  readonly href: string;
  readonly onOpen: () => void;
  readonly menu: ReactNode;
}

/** Said before the place: a narrow column cuts the end. */
const isWaiting = ({ waits, activity }: SessionRowProps): boolean =>
  waits > 0 || activity?.kind === 'waiting_for_user';

/** An icon and a word, never colour alone. */
function Doing(props: SessionRowProps) {
  const { activity, isAway, isOwnAgent = false, isWorking } = props;
  const words = useWords();
  if (isWaiting(props)) {
    return (
      <span className="flex shrink-0 items-center gap-1 whitespace-nowrap text-wait">
        <CircleAlert size={13} aria-hidden />
        {words.activity.waiting_for_user}
      </span>
    );
  }
  if (isAway) {
    return (
      <span className="flex shrink-0 items-center gap-1 whitespace-nowrap">
        <Unplug size={13} aria-hidden />
        {isOwnAgent ? words.list.agentAway : words.list.away}
      </span>
    );
  }
  if (activity?.kind === 'idle' && !isOwnAgent)
    return <span className="min-w-0 truncate">{words.activity.idle}</span>;
  if (!isWorking || activity === undefined) return null;
  return (
    <span className="flex min-w-0 items-center gap-1 text-accent">
      <span aria-hidden className="working-dot size-2 shrink-0 rounded-full bg-accent" />
      <span className="truncate">{activity.label || words.activity[activity.kind]}</span>
    </span>
  );
}

/** The time left is never cut off. */
function Asked({ page, expires_at }: NonNullable<SessionRowProps['asked']>) {
  const words = useWords();
  const now = useNow();
  return (
    <span className="flex gap-2 text-meta text-quiet">
      {page ? <span className="min-w-0 flex-1 truncate">{page}</span> : null}
      {expires_at ? (
        <span className="shrink-0 text-wait">
          {words.prompt.runsOut(relative(Date.parse(expires_at), now, words))}
        </span>
      ) : null}
    </span>
  );
}

export function SessionRow(props: SessionRowProps) {
  const { name, location, line, asked, at, unread, isPinned, isChosen, href, onOpen, menu } = props;
  const words = useWords();
  return (
    <li
      className={`group relative flex items-center rounded-card ${isChosen ? 'bg-accent-soft' : 'hover:bg-sunken'}`}
    >
      <a
        href={href}
        aria-current={isChosen ? 'page' : undefined}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          onOpen();
        }}
        className="min-w-0 flex-1 rounded-card px-3 py-2"
      >
        <span className="flex items-center gap-1">
          {isPinned ? <Pin size={13} aria-label={words.list.pinned} className="shrink-0 text-quiet" /> : null}
          <span className={`min-w-0 flex-1 truncate ${unread > 0 ? 'font-semibold' : 'font-medium'}`}>
            {name}
          </span>
          {unread > 0 ? (
            <span
              role="img"
              aria-label={words.list.unread(unread)}
              className="rounded-full bg-accent px-1.5 text-[12px] leading-5 font-medium text-on-accent tabular-nums"
            >
              {unread > 99 ? '99+' : unread}
            </span>
          ) : null}
          <span className="shrink-0 text-meta text-quiet">
            <TimeAgo at={at} isShort />
          </span>
        </span>
        <span className="flex items-center gap-2 text-meta text-quiet">
          {isWaiting(props) ? <Doing {...props} /> : null}
          {location ? <span className="min-w-0 shrink-[4] truncate">{location}</span> : null}
          {isWaiting(props) ? null : <Doing {...props} />}
        </span>
        {line ? <span className="block truncate text-meta text-quiet">{headlineOf(line, words)}</span> : null}
        {asked?.page || asked?.expires_at ? <Asked {...asked} /> : null}
      </a>
      {menu}
    </li>
  );
}
