/** Whether a text of a map is an expression: one whole `{% … %}`, with nothing around it. */
export type Slot =
  | { readonly kind: 'text' }
  | { readonly kind: 'expression'; readonly source: string }
  | { readonly kind: 'partial' };

const OPEN = '{%';
const CLOSE = '%}';

export function readSlot(text: string): Slot {
  if (!text.includes(OPEN)) return { kind: 'text' };
  const whole =
    text.startsWith(OPEN) &&
    text.endsWith(CLOSE) &&
    text.lastIndexOf(OPEN) === 0 &&
    text.indexOf(CLOSE) === text.length - CLOSE.length;
  if (!whole || text.length < OPEN.length + CLOSE.length) return { kind: 'partial' };
  return { kind: 'expression', source: text.slice(OPEN.length, -CLOSE.length).trim() };
}
