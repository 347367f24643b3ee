import { openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** What a client did and saw, a line each, in order: all that the checker knows of it. */
export type Entry =
  | { readonly did: 'send'; readonly session_id: string; readonly id: string }
  /** It came later, and sees what is after this. */
  | { readonly did: 'begin'; readonly session_id: string; readonly after: number }
  /** And went on from here. */
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
  | { readonly did: 'wonder'; readonly frame: unknown };

export type Log = (entry: Entry) => void;

export function openLog(folder: string, name: string): Log {
  const descriptor = openSync(join(folder, `${name}.jsonl`), 'a');
  return (entry) => void writeSync(descriptor, `${JSON.stringify(entry)}\n`);
}
