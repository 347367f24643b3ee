/** Expression for the element with the id in the variable, in any open shadow root. */
export function stampedElement(variable: string): string {
  return `(${FIND})(${variable}, document)`;
}

const FIND = `function find(id, root) {
  const own = root.querySelector('[data-llm-id="' + id + '"]');
  if (own) return own;
  for (const element of root.querySelectorAll('*')) {
    const inner = element.shadowRoot && find(id, element.shadowRoot);
    if (inner) return inner;
  }
}`;
