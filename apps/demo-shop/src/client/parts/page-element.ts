/** The element a page's own script was written for; its absence means page and script went apart. */
export function pageElement<T extends Element>(
  selector: string,
  kind: new () => T,
  within: ParentNode = document,
): T {
  const element = within.querySelector(selector);
  if (element instanceof kind) return element;
  throw new Error(`The page has no ${kind.name} at ${selector}`);
}
