/** Nanoseconds per call, as the median of several rounds, which ignores outliers from machine load. */
export function nanosecondsEach(work: () => void, { rounds = 15, callsARound = 20_000 } = {}): number {
  const times = Array.from({ length: rounds }, () => {
    const started = process.hrtime.bigint();
    for (let call = 0; call < callsARound; call++) work();
    return Number(process.hrtime.bigint() - started) / callsARound;
  });
  return median(times);
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Prints rows under their headings, numbers right-aligned. */
export function printTable(headings: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ');
  for (const row of [headings, ...rows]) console.log(line(row));
}
