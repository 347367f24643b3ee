import type { Modifier } from './action-context.ts';

/** The window of the element's own document: a page does not recognize events of another realm. */
export function viewOf(element: Element): Window & typeof globalThis {
  return element.ownerDocument.defaultView ?? window;
}

/** Like a person's events: they bubble through shadow roots and are cancelable. */
export const USUAL = { bubbles: true, cancelable: true, composed: true };

export function modifierKeys(modifiers: readonly Modifier[]): EventModifierInit {
  return {
    altKey: modifiers.includes('Alt'),
    ctrlKey: modifiers.includes('Control'),
    metaKey: modifiers.includes('Meta'),
    shiftKey: modifiers.includes('Shift'),
  };
}

/** False when the page cancels it. */
export function sendInput(
  element: Element,
  type: 'beforeinput' | 'input',
  data: string | null,
  inputType: string,
): boolean {
  const init = { ...USUAL, cancelable: type === 'beforeinput', data, inputType };
  return element.dispatchEvent(new (viewOf(element).InputEvent)(type, init));
}

/** Events of a list or file field after its value changed. */
export function sendChange(field: Element): void {
  for (const type of ['input', 'change']) {
    field.dispatchEvent(new (viewOf(field).Event)(type, { bubbles: true, composed: type === 'input' }));
  }
}
