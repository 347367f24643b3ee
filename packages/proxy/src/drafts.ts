import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { FrameOf } from '@drawbridge/link/chat';

export type ProxyMessage = Omit<FrameOf<'proxy_message'>, 'protocol_version'>;

/** A line of the file: the first version of a message, the text after it, or its end. */
interface Line {
  readonly draft: number;
  readonly frame?: ProxyMessage;
  readonly text?: string;
}

/**
 * Messages that agents are writing, each with every word that was read. A plain file: unlike a commit, an append needs
 * no sync to survive the end of the process, so that it can be made for each chunk.
 */
export interface Drafts {
  /** Messages that the last process neither sent nor stored. */
  readonly left: readonly ProxyMessage[];
  readonly write: (frame: ProxyMessage) => void;
  /** These versions are stored elsewhere. */
  readonly stored: (frames: readonly ProxyMessage[]) => void;
  /** Empties the file. */
  readonly clear: () => void;
  readonly close: () => void;
}

export function openDrafts(path: string): Drafts {
  const file = openSync(path, 'a+', 0o600);
  const left = readDrafts(readFileSync(path, 'utf8'));
  const open = new Map<string, { readonly draft: number; chars: number }>();
  let count = 0;
  let isOpen = true;

  const append = (line: Line): void => {
    if (!isOpen) return;
    try {
      writeSync(file, `${JSON.stringify(line)}\n`);
    } catch {
      // A full disk: the words are still sent, and lost only if the process is killed before.
    }
  };
  const clear = (): void => {
    open.clear();
    if (isOpen) ftruncateSync(file);
  };

  return {
    left,
    clear,
    write: (frame) => {
      const { content } = frame.message;
      const known = open.get(keyOf(frame));
      if (known !== undefined && known.chars <= content.length) {
        append({ draft: known.draft, text: content.slice(known.chars) });
        known.chars = content.length;
        return;
      }
      count += 1;
      open.set(keyOf(frame), { draft: count, chars: content.length });
      append({ draft: count, frame });
    },
    stored: (frames) => {
      for (const frame of frames) {
        const known = open.get(keyOf(frame));
        if (known === undefined || known.chars > frame.message.content.length) continue;
        open.delete(keyOf(frame));
        if (open.size === 0) clear();
        else append({ draft: known.draft });
      }
    },
    close: () => {
      if (isOpen) closeSync(file);
      isOpen = false;
    },
  };
}

export const keyOf = ({ session_id, message }: ProxyMessage): string =>
  JSON.stringify([session_id, message.message_id ?? '']);

function readDrafts(text: string): readonly ProxyMessage[] {
  const drafts = new Map<number, ProxyMessage>();
  for (const written of text.split('\n')) {
    const { draft, frame, text: more } = parseLine(written) ?? {};
    if (draft === undefined) continue;
    const known = drafts.get(draft);
    if (frame !== undefined) drafts.set(draft, frame);
    else if (more === undefined) drafts.delete(draft);
    else if (known !== undefined) {
      const { message } = known;
      drafts.set(draft, { ...known, message: { ...message, content: message.content + more } });
    }
  }
  return [...drafts.values()];
}

/** Undefined for a line that the end of the process or a full disk cut off. */
function parseLine(text: string): Line | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
