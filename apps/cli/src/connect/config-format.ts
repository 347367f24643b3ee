import type { ServerEntry } from './server-entry.ts';

/** Whether a file has our entry, and for this installation. */
export type Standing = 'absent' | 'same' | 'different';

/** Reads and edits one file format: text in, text out, everything else kept. */
export interface ConfigFormat {
  /** A file with only our entry. */
  readonly show: (entry: ServerEntry) => string;
  /** Throws a `ConfigProblem` if it cannot parse the text. */
  readonly standing: (text: string, entry: ServerEntry) => Standing;
  readonly put: (text: string, entry: ServerEntry) => string;
  readonly take: (text: string) => string;
}

/** The file cannot be edited safely. */
export class ConfigProblem extends Error {
  override readonly name = 'ConfigProblem';
}

/** Keeps the file's line ends, also those of Windows. */
export const lineEndOf = (text: string): '\n' | '\r\n' => (text.includes('\r\n') ? '\r\n' : '\n');
