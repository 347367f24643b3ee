export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed' | 'skipped';
  readonly text: string;
}

const CONTEXT_LINES = 3;
/** Limit of the table for the middle part; beyond it, the whole part is shown as replaced. */
const MAX_CELLS = 1_000_000;

/** Changed lines with some context. */
export function lineDiff(before: string, after: string): readonly DiffLine[] {
  const old = before === '' ? [] : before.split('\n');
  const now = after === '' ? [] : after.split('\n');
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head += 1;
  let tail = 0;
  const most = Math.min(old.length, now.length) - head;
  while (tail < most && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail += 1;
  const same = (text: string): DiffLine => ({ kind: 'same', text });
  return folded([
    ...old.slice(0, head).map(same),
    ...middle(old.slice(head, old.length - tail), now.slice(head, now.length - tail)),
    ...old.slice(old.length - tail).map(same),
  ]);
}

function middle(old: readonly string[], now: readonly string[]): DiffLine[] {
  const removed = old.map((text): DiffLine => ({ kind: 'removed', text }));
  const added = now.map((text): DiffLine => ({ kind: 'added', text }));
  if (old.length === 0 || now.length === 0 || old.length * now.length > MAX_CELLS) {
    return [...removed, ...added];
  }
  // Longest common subsequence of the rest, from each pair of positions.
  const width = now.length + 1;
  const common = new Uint32Array((old.length + 1) * width);
  const at = (i: number, j: number): number => common[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      common[i * width + j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length && j < now.length) {
    if (old[i] === now[j]) {
      lines.push({ kind: 'same', text: old[i] ?? '' });
      i += 1;
      j += 1;
    } else if (at(i + 1, j) >= at(i, j + 1)) {
      lines.push({ kind: 'removed', text: old[i] ?? '' });
      i += 1;
    } else {
      lines.push({ kind: 'added', text: now[j] ?? '' });
      j += 1;
    }
  }
  return [...lines, ...removed.slice(i), ...added.slice(j)];
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
