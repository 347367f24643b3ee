import { diffArrays } from 'diff';

export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed' | 'skipped';
  readonly text: string;
}

const CONTEXT_LINES = 3;
/** Beyond this many changed lines, everything is shown as replaced: the search takes time by the square of it. */
const MAX_CHANGES = 1_000;

/** Changed lines with some context. */
export function lineDiff(before: string, after: string): readonly DiffLine[] {
  const [old, now] = [linesOf(before, after), linesOf(after, before)];
  const changes = diffArrays(old, now, { maxEditLength: MAX_CHANGES }) ?? [
    { value: old, removed: true, added: false },
    { value: now, removed: false, added: true },
  ];
  return folded(
    changes.flatMap(({ value, added, removed }) => {
      const kind = added ? 'added' : removed ? 'removed' : 'same';
      return value.map((text): DiffLine => ({ kind, text }));
    }),
  );
}

/** A line break at the end begins no line, unless the other version ends without one. */
function linesOf(text: string, other: string): string[] {
  if (text === '') return [];
  const isEnded = text.endsWith('\n') && (other === '' || other.endsWith('\n'));
  return (isEnded ? text.slice(0, -1) : text).split('\n');
}

/** Folds long unchanged runs into one line with their count. */
function folded(lines: readonly DiffLine[]): readonly DiffLine[] {
  const near = new Set<number>();
  lines.forEach(({ kind }, at) => {
    if (kind === 'same') return;
    for (let by = -CONTEXT_LINES; by <= CONTEXT_LINES; by += 1) near.add(at + by);
  });
  const shown: DiffLine[] = [];
  let skipped = 0;
  lines.forEach((line, at) => {
    if (near.has(at)) {
      if (skipped > 0) shown.push({ kind: 'skipped', text: String(skipped) });
      skipped = 0;
      shown.push(line);
    } else skipped += 1;
  });
  if (skipped > 0 && shown.length > 0) shown.push({ kind: 'skipped', text: String(skipped) });
  return shown;
}
