import type { Reason } from './actionable.ts';
import { delegatedSelectors } from './framework-listener.ts';
import { claimedRole, hasTrait } from './role.ts';

/** Containers of equal items: a listener on one means each item. */
const LISTS = new Set(['ul', 'ol', 'menu', 'tbody', 'table']);
const FEWEST_EQUALS = 4;
const LONGEST_LABEL = 40;

/** The descendants that a container's listener is meant for; none when it is meant for the container. */
export function delegates(element: Element, reason: Reason | undefined): Element[] {
  const selectors = delegatedSelectors(element);
  if (selectors.length === 0 && reason === undefined) return [];
  const selected = selectors.flatMap((selector) => [...element.querySelectorAll(selector)]);
  if (selected.length > 0 || reason === undefined) return selected;
  if (element.childElementCount < 2 && element.localName !== 'table') return [];
  if (isList(element)) return rowsOf(element, reason);
  return reason === 'listens' && isKeypad(element) ? [...element.children] : [];
}

function isList(element: Element): boolean {
  return LISTS.has(element.localName) || hasTrait(claimedRole(element), 'l');
}

const MOST_CELLS = 200;

function rowsOf(element: Element, reason: Reason): Element[] {
  if (/^(?:tree)?grid$/.test(claimedRole(element) ?? '')) {
    const cells = [...element.querySelectorAll('[role=gridcell]')];
    const isChosen = reason === 'listens' || cells[0]?.hasAttribute('tabindex') === true;
    if (isChosen && cells.length > 0 && cells.length <= MOST_CELLS) return cells;
    const rows = [...element.querySelectorAll('[role=row]')];
    if (rows.length > 0) return rows;
  }
  if (element.localName !== 'table') return [...element.children];
  return [...element.querySelectorAll('tr')].filter(
    (row) => row.parentElement?.localName !== 'thead' && row.querySelector('td') !== null,
  );
}

/** Several small leaves of one kind and nothing else: keys, days, stars, swatches. */
function isKeypad(element: Element): boolean {
  const [first, ...rest] = element.children;
  if (first === undefined || rest.length < FEWEST_EQUALS - 1) return false;
  return [first, ...rest].every(
    (child) =>
      child.localName === first.localName &&
      child.localName !== 'th' &&
      child.classList[0] === first.classList[0] &&
      child.childElementCount === 0 &&
      (child.textContent?.length ?? 0) <= LONGEST_LABEL,
  );
}
