/** One script of a V8 coverage report. Node strips types in place, so offsets are those of the source. */
export interface ScriptCoverage {
  readonly url: string;
  readonly functions: readonly {
    readonly isBlockCoverage: boolean;
    readonly ranges: readonly Range[];
  }[];
}

interface Range {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

export interface Counts {
  readonly lines: number;
  readonly coveredLines: number;
  readonly branches: number;
  readonly coveredBranches: number;
}

/** Adds up the coverage of one source over several processes. */
export function createFileCoverage(source: string) {
  const lines = codeLines(source);
  const covered = new Set<number>();
  const branches = new Map<string, { readonly start: number; taken: boolean }>();
  return {
    add({ functions }: ScriptCoverage): void {
      const ranges = functions.flatMap((each) => each.ranges);
      // The innermost range that contains an offset sets its count.
      const inOrder = ranges.toSorted((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset);
      const countAt = counterOf(inOrder);
      for (const { isBlockCoverage, ranges: own } of functions) {
        for (const { startOffset, endOffset } of isBlockCoverage ? own.slice(1) : []) {
          const key = `${startOffset}-${endOffset}`;
          if (!branches.has(key)) branches.set(key, { start: startOffset, taken: false });
        }
      }
      for (const branch of branches.values()) branch.taken ||= countAt(branch.start) > 0;
      for (const offset of lines) if (!covered.has(offset) && countAt(offset) > 0) covered.add(offset);
    },
    counts: (): Counts => ({
      lines: lines.length,
      coveredLines: covered.size,
      branches: branches.size,
      coveredBranches: [...branches.values()].filter(({ taken }) => taken).length,
    }),
  };
}

function counterOf(inOrder: readonly Range[]): (offset: number) => number {
  return (offset) => {
    let count = 0;
    for (const range of inOrder) {
      if (range.startOffset > offset) break;
      if (range.endOffset > offset) count = range.count;
    }
    return count;
  };
}

/** First offset of each line with code: no blank lines, comments, imports, types or lone brackets. */
function codeLines(source: string): readonly number[] {
  const offsets: number[] = [];
  let start = 0;
  let isComment = false;
  let isDeclaration = false;
  for (const line of source.split('\n')) {
    const text = line.trim();
    if (text.startsWith('/*')) isComment = true;
    const opens = /^(import|export type|type|export interface|interface|declare|export \{|export \*)\b/.test(
      text,
    );
    if (opens && !isComment) isDeclaration = true;
    if (!isComment && !isDeclaration && /\w/.test(text) && !text.startsWith('//'))
      offsets.push(start + line.indexOf(text));
    if (isComment && text.endsWith('*/')) isComment = false;
    if (isDeclaration && /(;|^\})$/.test(text)) isDeclaration = line.startsWith(' ') || line.startsWith('|');
    start += line.length + 1;
  }
  return offsets;
}
