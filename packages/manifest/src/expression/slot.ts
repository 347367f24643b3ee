import { checkExpression } from './source.ts';

/** A string of a map: plain text, one whole `{% … %}` slot, or a slot mixed with other text. */
export type Slot =
  | { readonly kind: 'text' }
  | { readonly kind: 'expression'; readonly expression: string }
  | { readonly kind: 'partial' };

const OPEN = '{%';
const CLOSE = '%}';

export function readSlot(text: string): Slot {
  const opened = text.indexOf(OPEN);
  if (opened < 0 || text.indexOf(CLOSE, opened + OPEN.length) < 0) return { kind: 'text' };
  if (!text.startsWith(OPEN) || !text.endsWith(CLOSE)) return { kind: 'partial' };
  const expression = text.slice(OPEN.length, -CLOSE.length).trim();
  return isSeveralSlots(expression) ? { kind: 'partial' } : { kind: 'expression', expression };
}

/** `{% a %}{% b %}` looks like one slot from outside; `{'up': %}` and `{%.id: 1}` are valid JSONata. */
function isSeveralSlots(inner: string): boolean {
  const closed = inner.indexOf(CLOSE);
  const reopened = closed >= 0 && inner.indexOf(OPEN, closed) >= 0;
  return reopened && checkExpression(inner) !== undefined;
}
