/**
 * Sets a field's value past what a framework has put in the way: React keeps a property of its own on
 * the element to tell its own writes from a person's, and hears nothing of a plain assignment.
 */
export function setNatively(element: Element, property: 'value' | 'checked', value: string | boolean): void {
  const own = Object.getPrototypeOf(element);
  for (let prototype: unknown = own; isObject(prototype); prototype = Object.getPrototypeOf(prototype)) {
    const setter = Object.getOwnPropertyDescriptor(prototype, property)?.set;
    if (setter === undefined) continue;
    setter.call(element, value);
    return;
  }
  Reflect.set(element, property, value);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
