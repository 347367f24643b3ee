/** A position in a text, counted from 1. Columns count UTF-16 units, like editors. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/**
 * Binary search for the line of an offset. `
 * ` and `\r
 * ` end a line.
 */
export function indexLines(text: string): (offset: number) => Position {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}
