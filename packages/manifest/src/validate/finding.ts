import type { Path } from '../source/path.ts';
import type { ErrorCode, WarningCode } from './codes.ts';

/** Something to tell the author, before it has a line and a column. */
export interface Finding<Code extends string = ErrorCode | WarningCode> {
  readonly code: Code;
  readonly path: Path;
  /** What to point at; the value unless said otherwise. */
  readonly part?: 'key' | 'value';
  readonly message: string;
  readonly expected?: string;
  readonly suggestion?: string;
}

export type Findings = Iterable<Finding>;

/** What an author sees. */
export interface MapProblem<Code extends string = ErrorCode | WarningCode> {
  readonly code: Code;
  /** RFC 6901. For something missing: where it should be. */
  readonly pointer: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly expected?: string;
  readonly suggestion?: string;
}
