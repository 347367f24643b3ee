import { Camera, Paperclip, X } from 'lucide-react';
import {
  type ChangeEvent,
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  type ReactNode,
  useRef,
  useState,
} from 'react';
import { Button, IconButton } from '../parts/button.tsx';
import type { Words } from '../words/en.ts';
import { useWords } from '../words/use-words.ts';
import { SendAndStop, type SendAndStopProps } from './send-and-stop.tsx';
import { useDictation } from './use-dictation.tsx';

export interface Upload {
  readonly id: string;
  readonly name: string;
  readonly state: 'uploading' | 'there' | 'failed';
  readonly problem?: string;
}

export interface ComposerProps {
  readonly name: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onSend: () => void;
  readonly uploads: readonly Upload[];
  readonly onFiles: (files: readonly File[]) => void;
  readonly onRemove: (id: string) => void;
  readonly onRetry: (id: string) => void;
  /** Undefined where the agent is idle or cannot be stopped. */
  readonly stop: SendAndStopProps['stop'];
  /** Sends what is written at another time. */
  readonly later?: ReactNode;
}

const MAX_ROWS = 8;
const rowsOf = (text: string): number => Math.min(MAX_ROWS, text.split('\n').length);

/** On a phone Enter starts a new line, as its keyboard shows. */
const entersToSend = (): boolean => matchMedia('(pointer: fine)').matches;

/** A long name does not fit beside Stop on a phone. */
const placeholderOf = (name: string, { compose }: Words): string =>
  name.length > MAX_NAME_CHARS ? compose.label : compose.placeholder(name);
const MAX_NAME_CHARS = 12;

const NARROW = 'pointer-coarse:max-[400px]:hidden!';
const NARROW_WITH_STOP = 'pointer-coarse:max-[480px]:hidden!';

export function Composer(props: ComposerProps) {
  const { name, text, onText, onSend, uploads, onFiles, onRemove, onRetry, stop, later } = props;
  const words = useWords();
  const picker = useRef<HTMLInputElement>(null);
  const camera = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const isReady = uploads.every(({ state }) => state === 'there');
  // A narrow phone has no room for it; its keyboard has its own.
  const dictation = useDictation(text, onText, stop ? NARROW_WITH_STOP : NARROW);
  const canSend = isReady && (text.trim() !== '' || uploads.length > 0);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    if (!entersToSend() && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    if (canSend) onSend();
  };
  const onPicked = ({ target }: ChangeEvent<HTMLInputElement>): void => {
    onFiles([...(target.files ?? [])]);
    target.value = '';
  };
  const onPaste = (event: ClipboardEvent): void => {
    const files = [...event.clipboardData.files];
    if (files.length === 0) return;
    event.preventDefault();
    onFiles(files);
  };
  const onDrop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    onFiles([...event.dataTransfer.files]);
  };

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (canSend) onSend();
      }}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
      className={`border-t px-2 pt-2 pb-[max(8px,env(safe-area-inset-bottom))] ${isOver ? 'border-accent bg-accent-soft' : 'border-line bg-surface'}`}
    >
      <div className="mx-auto max-w-3xl">
        {uploads.length > 0 ? (
          <ul className="mb-2 flex flex-wrap gap-1">
            {uploads.map(({ id, name: file, state, problem = '' }) => (
              <li
                key={id}
                className={`flex max-w-full items-center gap-1 rounded-md border px-2 text-meta ${state === 'failed' ? 'border-fail/50 text-fail' : 'border-line'}`}
              >
                <span className="truncate">{file}</span>
                {state === 'uploading' ? <span className="text-quiet">{words.compose.uploading}</span> : null}
                {state === 'failed' ? (
                  <>
                    <span>{words.compose.uploadFailed(problem)}</span>
                    <Button look="quiet" className="min-h-8 px-1 text-meta" onClick={() => onRetry(id)}>
                      {words.compose.retry}
                    </Button>
                  </>
                ) : null}
                <IconButton
                  className="size-7 pointer-coarse:size-9"
                  label={words.compose.remove(file)}
                  icon={<X size={14} aria-hidden />}
                  onClick={() => onRemove(id)}
                />
              </li>
            ))}
          </ul>
        ) : null}
        {dictation?.note}
        <div className="flex items-end gap-1">
          <IconButton
            label={words.compose.attach}
            icon={<Paperclip size={18} aria-hidden />}
            onClick={() => picker.current?.click()}
          />
          <input
            ref={picker}
            type="file"
            multiple
            hidden
            aria-label={words.compose.attach}
            onChange={onPicked}
          />
          {text === '' && dictation?.isOn !== true ? (
            <IconButton
              // Touch devices have a camera; a narrow phone has no room for it beside Stop.
              className={`hidden! ${stop ? 'min-[400px]:pointer-coarse:inline-grid!' : 'pointer-coarse:inline-grid!'}`}
              label={words.compose.photo}
              icon={<Camera size={18} aria-hidden />}
              onClick={() => camera.current?.click()}
            />
          ) : null}
          <input
            ref={camera}
            type="file"
            accept="image/*"
            capture="environment"
            hidden
            aria-label={words.compose.photo}
            onChange={onPicked}
          />
          <textarea
            aria-label={words.compose.label}
            placeholder={isOver ? words.compose.dropHere : placeholderOf(name, words)}
            title={words.compose.hint}
            dir="auto"
            rows={rowsOf(text)}
            value={text}
            onChange={({ target }) => onText(target.value)}
            onKeyDown={onKeyDown}
            onPaste={onPaste}
            enterKeyHint="enter"
            className="max-h-52 min-h-9 min-w-0 flex-1 resize-none rounded-card border border-line-strong bg-ground px-3 py-[7px] [field-sizing:content] placeholder:overflow-hidden placeholder:text-nowrap placeholder:text-ellipsis pointer-coarse:min-h-11 pointer-coarse:py-[10px]"
          />
          {dictation?.button}
          {later}
          <SendAndStop canSend={canSend} stop={stop} />
        </div>
      </div>
    </form>
  );
}
