import { readSlot } from '../expression/slot.ts';

/** The expression in a text that is one whole `{% … %}`; undefined for anything else. */
export function slotExpression(text: unknown): string | undefined {
  const slot = typeof text === 'string' ? readSlot(text) : undefined;
  return slot?.kind === 'expression' ? slot.expression : undefined;
}
