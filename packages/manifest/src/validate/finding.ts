import type { Path } from '../source/path.ts';
import type { ErrorCode, WarningCode } from './codes.ts';

/** A problem before it has a line and a column. */
export interface Finding<Code extends string = ErrorCode | WarningCode> {
  readonly code: Code;
  readonly path: Path;
  /** The part to point at; `value` by default. */
  readonly part?: 'key' | 'value';
  readonly message: string;
  readonly expected?: string;
  readonly suggestion?: string;
}

export type Findings = Iterable<Finding>;

/** A problem as the author sees it. */
export interface MapProblem<Code extends string = ErrorCode | WarningCode> {
  readonly code: Code;
  /** RFC 6901. A missing part has the pointer where it should be. */
  readonly pointer: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly expected?: string;
  readonly suggestion?: string;
}
