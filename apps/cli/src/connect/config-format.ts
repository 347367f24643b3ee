import type { ServerEntry } from './server-entry.ts';

/** Whether a file already names us, and as the installation that we are. */
export type Standing = 'absent' | 'same' | 'different';

/** How one kind of file is read and changed: text in, text out, everything else kept. */
export interface ConfigFormat {
  /** The whole of a file that holds nothing but us. */
  readonly show: (entry: ServerEntry) => string;
  /** Fails with a `ConfigProblem` where it cannot read the text. */
  readonly standing: (text: string, entry: ServerEntry) => Standing;
  readonly put: (text: string, entry: ServerEntry) => string;
  readonly take: (text: string) => string;
}

/** The file is not one that we can change without a risk to what is in it. */
export class ConfigProblem extends Error {
  override readonly name = 'ConfigProblem';
}

/** Windows editors write both; a file keeps what it has. */
export const lineEndOf = (text: string): '\n' | '\r\n' => (text.includes('\r\n') ? '\r\n' : '\n');
