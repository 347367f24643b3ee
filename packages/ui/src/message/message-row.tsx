import { valueLines } from '@drawbridge/protocol/sentences';
import { Brain, Info, ListChecks } from 'lucide-react';
import { memo, useState } from 'react';
import { Button } from '../parts/button.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Disclosure } from '../parts/disclosure.tsx';
import { clockTime, exactTime } from '../time-words.ts';
import { useWords } from '../words/use-words.ts';
import { AttachmentList } from './attachments.tsx';
import { BlockCard } from './block-card.tsx';
import { BrowserStep } from './browser-step.tsx';
import { DeliveryTick } from './delivery-tick.tsx';
import type { MessageEntry } from './entry.ts';
import { MessageText } from './message-text.tsx';
import { PlanSteps } from './plan-steps.tsx';
import { ToolCall } from './tool-call.tsx';
import type { LoadFile } from './use-file.ts';

/** Actions on a person's own message. */
export interface MessageActions {
  readonly onRetry: (entry: MessageEntry) => void;
  readonly onDrop: (entry: MessageEntry) => void;
  readonly onCancel: (entry: MessageEntry) => void;
  readonly onEdit: (entry: MessageEntry, content: string) => void;
  readonly loadFile: LoadFile;
}

export interface MessageRowProps {
  readonly entry: MessageEntry;
  readonly isStarted: boolean;
  readonly actions: MessageActions;
  /** Looks in a row that this step is the last of. */
  readonly looks?: number;
}

export const MessageRow = memo(function MessageRow(props: MessageRowProps) {
  return props.entry.role === 'user' ? <OwnMessage {...props} /> : <AgentMessage {...props} />;
});

function AgentMessage(props: MessageRowProps) {
  const { parts, ...entry } = props.entry;
  if (parts === undefined) return <AgentPart {...props} />;
  return (
    <div className="flex flex-col gap-2">
      {parts.map(({ content, details, card }, index) => {
        // Blocks have no id, and their order does not change.
        const key = `${entry.id}-${String(index)}`;
        if (card !== undefined) return <BlockCard key={key} card={card} content={content} />;
        const isLast = index === parts.length - 1;
        const attachments = isLast ? entry.attachments : [];
        const part = { ...entry, content, attachments, ...(details && { details }) };
        return <AgentPart key={key} {...props} entry={part} />;
      })}
    </div>
  );
}

function AgentPart({ entry, actions: { loadFile }, looks }: MessageRowProps) {
  const words = useWords();
  const { content, details, attachments, at } = entry;
  switch (details?.kind) {
    case 'tool_call':
      return <ToolCall details={details} />;
    case 'step':
      return (
        <BrowserStep
          details={details}
          loadFile={loadFile}
          // The relay writes a sentence for each call of an agent; a task's step has its thought there.
          {...(entry.role === 'system' && {
            sentence: [
              words.talk.relayed(content),
              ...(looks === undefined ? [] : [words.talk.times(looks)]),
            ].join(' '),
          })}
        />
      );
    case 'thought':
      return (
        <Disclosure
          summary={
            <>
              <Brain size={15} aria-hidden className="shrink-0" />
              <span className="min-w-0 truncate italic">{content || words.talk.thought}</span>
            </>
          }
        >
          {() => (
            <div className="ms-6 border-s-2 border-line ps-3 text-quiet">
              {<MessageText text={content} />}
            </div>
          )}
        </Disclosure>
      );
    case 'plan':
      return (
        <section aria-label={words.session.plan} className="rounded-card border border-line bg-surface p-3">
          <h2 className="mb-1 flex items-center gap-2 text-meta font-semibold">
            <ListChecks size={15} aria-hidden />
            {words.session.plan}
          </h2>
          <PlanSteps steps={details.steps} />
        </section>
      );
    case 'task_result':
      return (
        <section className="rounded-card border border-line bg-surface p-3">
          <h2
            className={`text-meta font-semibold ${details.status === 'completed' ? 'text-done' : 'text-fail'}`}
          >
            {words.talk.task[details.status]}
          </h2>
          <MessageText text={content} />
          {details.result !== undefined && typeof details.result !== 'string' ? (
            <p
              dir="auto"
              className="mt-2 whitespace-pre-wrap rounded-md bg-sunken p-2 [overflow-wrap:anywhere]"
            >
              {valueLines(details.result).join('\n')}
            </p>
          ) : null}
        </section>
      );
    default:
      if (entry.role === 'system') return <RelayNote entry={entry} loadFile={loadFile} />;
      return (
        <article title={exactTime(at, words)} className="group">
          <CopyMessage text={content} className="float-end ms-2" />
          <MessageText text={content} />
          <AttachmentList attachments={attachments} loadFile={loadFile} />
        </article>
      );
  }
}

/** Drawbridge's own sentence: smaller than the agent's words, and marked, so that nobody takes it for them. */
function RelayNote({ entry, loadFile }: { readonly entry: MessageEntry; readonly loadFile: LoadFile }) {
  const words = useWords();
  const { content, attachments, at } = entry;
  return (
    <article title={exactTime(at, words)} className="group flex items-start gap-2 text-meta text-quiet">
      <Info size={15} aria-hidden className="mt-0.5 shrink-0" />
      <div className="min-w-0 flex-1">
        <MessageText text={words.talk.relayed(content)} />
        <AttachmentList attachments={attachments} loadFile={loadFile} />
      </div>
    </article>
  );
}

function OwnMessage({ entry, isStarted, actions }: MessageRowProps) {
  const words = useWords();
  const [isEditing, setEditing] = useState(false);
  const { content, delivery, attachments, at, isEdited } = entry;
  return (
    <article
      className="group ms-auto flex max-w-[min(88%,40rem)] flex-col items-end gap-1"
      aria-label={words.talk.you}
    >
      <div className="max-w-full rounded-2xl rounded-ee-md bg-accent-soft px-3 py-2">
        {isEditing ? (
          <EditBox
            content={content}
            onClose={() => setEditing(false)}
            onSave={(text) => {
              setEditing(false);
              actions.onEdit(entry, text);
            }}
          />
        ) : (
          <p dir="auto" className="whitespace-pre-wrap [overflow-wrap:anywhere]">
            {content}
          </p>
        )}
        <AttachmentList attachments={attachments} loadFile={actions.loadFile} />
      </div>
      <p className="flex items-center gap-1 text-[12px] text-quiet">
        {isEditing ? null : <CopyMessage text={content} />}
        {isEdited ? <span>{words.talk.edited}</span> : null}
        <time dateTime={new Date(at).toISOString()} title={exactTime(at, words)}>
          {clockTime(at, words)}
        </time>
        {delivery ? <DeliveryTick delivery={delivery} isStarted={isStarted} /> : null}
      </p>
      {isEditing ? null : <Remedy entry={entry} actions={actions} onEdit={() => setEditing(true)} />}
    </article>
  );
}

/** Quiet until the message is pointed at or has the focus; always visible where nothing can point. */
function CopyMessage({ text, className = '' }: { readonly text: string; readonly className?: string }) {
  const words = useWords();
  if (text.trim() === '') return null;
  return (
    <CopyButton
      text={text}
      label={words.talk.copyMessage}
      className={`size-7! opacity-0 transition-opacity group-focus-within:opacity-100 group-hover:opacity-100 focus-visible:opacity-100 pointer-coarse:size-9! pointer-coarse:opacity-100 ${className}`}
    />
  );
}

/** Remaining actions: retry or drop (CHT-162), edit or take back a waiting message. */
function Remedy({
  entry,
  actions,
  onEdit,
}: Pick<MessageRowProps, 'entry' | 'actions'> & { onEdit: () => void }) {
  const words = useWords();
  const { delivery } = entry;
  const small = 'min-h-8 px-2 text-meta pointer-coarse:min-h-10';
  switch (delivery?.status) {
    case 'queued':
    case 'accepted':
      // The agent may have the message, so it can't be changed or taken back.
      if (delivery.status === 'accepted' && delivery.isChecking)
        return <p className="text-meta text-wait">{words.tick.checking}</p>;
      return (
        <div className="flex flex-wrap justify-end gap-1">
          {delivery.status === 'accepted' ? (
            <Button look="quiet" className={small} onClick={onEdit}>
              {words.tick.edit}
            </Button>
          ) : null}
          <Button look="quiet" className={small} onClick={() => actions.onCancel(entry)}>
            {words.tick.cancel}
          </Button>
        </div>
      );
    case 'failed':
      return (
        <div className="flex flex-col items-end gap-1 text-end">
          <p className={`text-meta ${delivery.isUnknown ? 'text-wait' : 'text-fail'}`} title={delivery.code}>
            {delivery.isUnknown
              ? `${delivery.message === undefined ? words.tick.unknownLost : words.reason(delivery.message)} ${words.tick.unknownSays}`
              : [words.tick.failed, delivery.message && words.reason(delivery.message)]
                  .filter(Boolean)
                  .join(': ')}
          </p>
          <div className="flex gap-1">
            <Button className={small} onClick={() => actions.onRetry(entry)}>
              {words.tick.retry}
            </Button>
            <Button look="quiet" className={small} onClick={() => actions.onDrop(entry)}>
              {words.tick.drop}
            </Button>
          </div>
        </div>
      );
    case 'cancelled':
      return <p className="text-meta text-quiet">{words.talk.cancelled}</p>;
    default:
      return null;
  }
}

interface EditBoxProps {
  readonly content: string;
  readonly onSave: (content: string) => void;
  readonly onClose: () => void;
}

function EditBox({ content, onSave, onClose }: EditBoxProps) {
  const words = useWords();
  const [text, setText] = useState(content);
  return (
    <form
      className="flex w-[min(70vw,32rem)] flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '') onSave(text);
      }}
    >
      <textarea
        aria-label={words.tick.edit}
        value={text}
        rows={3}
        onChange={({ target }) => setText(target.value)}
        className="rounded-md border border-line-strong bg-surface p-2"
      />
      <div className="flex justify-end gap-1">
        <Button look="quiet" onClick={onClose}>
          {words.act.cancel}
        </Button>
        <Button look="primary" type="submit">
          {words.tick.save}
        </Button>
      </div>
    </form>
  );
}
