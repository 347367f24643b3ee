export interface GeneratedFile {
  /** From the root of the repository. */
  readonly path: string;
  readonly text: string;
}
