/** Whether an element takes text: native, contenteditable, or by role. */
export function isField(element: Element): boolean {
  return isInput(element) || isTextArea(element) || isSelect(element) || isEditable(element);
}

// Tests by tag, as `instanceof` fails for elements of a frame's realm.
export function isInput(element: Element): element is HTMLInputElement {
  return element.localName === 'input' && 'value' in element;
}

/** A checkbox or radio button: has a fixed value, and a separate checked state. */
export function isTickBox(element: Element): element is HTMLInputElement {
  return isInput(element) && /^(?:checkbox|radio)$/.test(element.type);
}

export function isTextArea(element: Element): element is HTMLTextAreaElement {
  return element.localName === 'textarea' && 'value' in element;
}

export function isSelect(element: Element): element is HTMLSelectElement {
  return element.localName === 'select' && 'selectedOptions' in element;
}

/** An editing host: the element with `contenteditable`, not its descendants. */
export function isEditable(element: Element): boolean {
  const editable = element.getAttribute('contenteditable');
  return editable !== null && editable.toLowerCase() !== 'false' && editable.toLowerCase() !== 'inherit';
}
