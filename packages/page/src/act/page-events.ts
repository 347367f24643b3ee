import type { Modifier } from './workplace.ts';

/** The window of the element's own document: an event of another realm is none to the page there. */
export function viewOf(element: Element): Window & typeof globalThis {
  return element.ownerDocument.defaultView ?? window;
}

/** As a person's events are: everything around hears them, through shadow roots, and may object. */
export const USUAL = { bubbles: true, cancelable: true, composed: true };

export function modifierKeys(modifiers: readonly Modifier[]): EventModifierInit {
  return {
    altKey: modifiers.includes('Alt'),
    ctrlKey: modifiers.includes('Control'),
    metaKey: modifiers.includes('Meta'),
    shiftKey: modifiers.includes('Shift'),
  };
}

/** False when the page objects. */
export function sendInput(
  element: Element,
  type: 'beforeinput' | 'input',
  data: string | null,
  inputType: string,
): boolean {
  const init = { ...USUAL, cancelable: type === 'beforeinput', data, inputType };
  return element.dispatchEvent(new (viewOf(element).InputEvent)(type, init));
}

/** What a list or a file field tells once its value is another. */
export function sendChange(field: Element): void {
  for (const type of ['input', 'change']) {
    field.dispatchEvent(new (viewOf(field).Event)(type, { bubbles: true, composed: type === 'input' }));
  }
}
