import type { MessageDetails } from '@drawbridge/protocol';
import { readableText } from '@drawbridge/protocol/sentences';
import {
  Ban,
  Brain,
  CircleDashed,
  CircleX,
  FileText,
  Globe,
  type LucideIcon,
  Pencil,
  Search,
  Terminal,
  Trash2,
  Wrench,
} from 'lucide-react';
import { Disclosure } from '../parts/disclosure.tsx';
import { useWords } from '../words/use-words.ts';
import { CodeBlock } from './code-block.tsx';
import { DiffView } from './diff-view.tsx';

export type ToolCallDetails = Extract<MessageDetails, { kind: 'tool_call' }>;

const KINDS: Readonly<Record<string, LucideIcon>> = {
  read: FileText,
  edit: Pencil,
  delete: Trash2,
  search: Search,
  execute: Terminal,
  think: Brain,
  fetch: Globe,
};

function StatusIcon({
  status,
  kind,
}: {
  readonly status: ToolCallDetails['status'];
  readonly kind?: string;
}) {
  if (status === 'failed') return <CircleX size={15} aria-hidden className="shrink-0 text-fail" />;
  if (status === 'stopped') return <Ban size={15} aria-hidden className="shrink-0 text-wait" />;
  if (status === 'pending') return <CircleDashed size={15} aria-hidden className="shrink-0" />;
  const Icon = KINDS[kind ?? ''] ?? Wrench;
  const look = status === 'running' ? 'working-dot text-accent' : '';
  return <Icon size={15} aria-hidden className={`shrink-0 ${look}`} />;
}

const TONES = {
  pending: 'text-accent',
  running: 'text-accent',
  completed: '',
  failed: 'text-fail',
  stopped: 'text-wait',
} as const;

const changedLines = ({ diffs = [] }: ToolCallDetails): string =>
  diffs.length === 0 ? '' : diffs.map(({ path }) => path.split(/[/\\]/).at(-1)).join(', ');

/** One folded line with input, output and changes inside. */
export function ToolCall({ details }: { readonly details: ToolCallDetails }) {
  const words = useWords();
  const { title, status, tool_kind, input, output, diffs = [] } = details;
  const files = changedLines(details);
  return (
    <Disclosure
      isOpenFirst={diffs.length > 0 && status !== 'failed'}
      summary={
        <>
          <StatusIcon status={status} {...(tool_kind && { kind: tool_kind })} />
          <span className="min-w-0 flex-1 truncate">
            <span className="text-ink">{title || words.talk.tool[status]}</span>
            {files && !title.includes(files) ? <span> · {files}</span> : null}
          </span>
          {status === 'completed' ? <span className="sr-only">{words.talk.tool[status]}</span> : null}
          {status === 'completed' ? null : <span className={TONES[status]}>{words.talk.tool[status]}</span>}
        </>
      }
    >
      {() => (
        <div className="flex flex-col gap-2 pb-2">
          {input === undefined ? null : <CodeBlock text={inputText(input)} language={words.talk.input} />}
          {diffs.map(({ path, old_text, new_text }) => (
            <DiffView key={path} path={path} before={old_text} after={new_text} />
          ))}
          {output ? <CodeBlock text={outputText(output, tool_kind)} language={words.talk.output} /> : null}
        </div>
      )}
    </Disclosure>
  );
}

/** Commands and files keep their own form. */
const KEPT = new Set(['read', 'execute']);

const outputText = (output: string, kind = ''): string => (KEPT.has(kind) ? output : readableText(output));

function inputText(input: unknown): string {
  const isCommand = typeof input === 'object' && input !== null && 'command' in input;
  if (isCommand && typeof input.command === 'string' && Object.keys(input).length === 1) return input.command;
  return readableText(input);
}
