import type { BlockCard as Card } from '@drawbridge/protocol';
import {
  CircleAlert,
  Clock,
  FileText,
  Info,
  type LucideIcon,
  MessageCircleQuestion,
  TriangleAlert,
} from 'lucide-react';
import { useWords } from '../words/use-words.ts';
import { CodeBlock } from './code-block.tsx';
import { MessageText } from './message-text.tsx';

const ICONS: Readonly<Record<Card['kind'], LucideIcon>> = {
  artifact: FileText,
  prompt: MessageCircleQuestion,
  queued_message: Clock,
  notice: Info,
  error: CircleAlert,
  status: Info,
};

const TONES = {
  info: 'border-line',
  warning: 'border-wait text-wait',
  error: 'border-fail text-fail',
} as const;

const STATES = ['queued', 'working', 'done', 'idle'] as const;

/** A block of a newer peer's message. Actions are choices at the agent, so they are no buttons. */
export function BlockCard({ card, content }: { readonly card: Card; readonly content: string }) {
  const words = useWords();
  const { kind, tone, status, actions } = card;
  const label = card.label || words.talk.blocks[kind];
  const known = STATES.find((each) => each === status);
  const Icon = tone === 'warning' ? TriangleAlert : ICONS[kind];
  return (
    <section aria-label={label} className={`rounded-card border bg-surface p-3 ${TONES[tone]}`}>
      <h2 className="flex items-center gap-2 text-meta font-semibold">
        <Icon size={15} aria-hidden className="shrink-0" />
        <span className="min-w-0 [overflow-wrap:anywhere]">{label}</span>
        {status === '' ? null : (
          <span className="ms-auto font-normal text-quiet">
            {known ? words.talk.blockStatus[known] : status}
          </span>
        )}
      </h2>
      {content === label || content === status ? null : (
        <div className="mt-1 text-ink">
          {kind === 'artifact' ? <CodeBlock text={content} /> : <MessageText text={content} />}
        </div>
      )}
      {actions.length === 0 ? null : (
        <ul aria-label={words.talk.choices} className="mt-2 flex flex-wrap gap-1 text-meta text-quiet">
          {[...new Set(actions)].map((action) => (
            <li key={action} className="rounded-md border border-line px-2 py-0.5 [overflow-wrap:anywhere]">
              {action}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
