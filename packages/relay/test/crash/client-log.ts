import { openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Log of a client, one line per action and frame, in order: the checker's only input about it. */
export type Entry =
  | { readonly did: 'send'; readonly session_id: string; readonly id: string }
  /** The client connected later, and sees the events after this. */
  | { readonly did: 'begin'; readonly session_id: string; readonly after: number }
  /** Resumed from this sequence. */
  | { readonly did: 'connect'; readonly session_id: string; readonly from: number; readonly epoch: string }
  | {
      readonly did: 'accepted';
      readonly session_id: string;
      readonly id: string;
      readonly sequence: number;
      readonly event_id: string;
    }
  | {
      readonly did: 'see';
      readonly session_id: string;
      readonly sequence: number;
      readonly event_id: string;
      readonly type: string;
      readonly id?: string;
    }
  | { readonly did: 'inject'; readonly session_id: string; readonly id: string }
  | { readonly did: 'decline'; readonly session_id: string; readonly id: string }
  /** The relay forwarded a send again, with this attempt after that one. */
  | {
      readonly did: 'repeat';
      readonly session_id: string;
      readonly id: string;
      readonly attempt: number | undefined;
      readonly before: number | undefined;
    }
  | { readonly did: 'wonder'; readonly frame: unknown };

export type Log = (entry: Entry) => void;

export function openLog(folder: string, name: string): Log {
  const descriptor = openSync(join(folder, `${name}.jsonl`), 'a');
  return (entry) => void writeSync(descriptor, `${JSON.stringify(entry)}\n`);
}
