/** A sentence that may stay, and why. The check reports an exception that matches no sentence. */
export interface Exception {
  readonly file: string;
  /** A part of the sentence. */
  readonly text: string;
  readonly reason: string;
}

export const EXCEPTIONS: readonly Exception[] = [];
