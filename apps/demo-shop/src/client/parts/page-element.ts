/** An element that a page's script requires; throws if page and script do not match. */
export function pageElement<T extends Element>(
  selector: string,
  kind: new () => T,
  within: ParentNode = document,
): T {
  const element = within.querySelector(selector);
  if (element instanceof kind) return element;
  throw new Error(`The page has no ${kind.name} at ${selector}`);
}
