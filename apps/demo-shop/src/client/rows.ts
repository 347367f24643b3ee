import { STOCK_BLOCK_ROWS, STOCK_ROW_COUNT, type StockRow } from '../stock-rows.ts';
import { pageElement } from './parts/page-element.ts';
import { getJson } from './parts/shop-request.ts';

const ROW_HEIGHT_PX = 44;
const SPARE_ROWS = 6;

type RowNode = { element: HTMLElement; label: HTMLElement; button: HTMLButtonElement; row: number };

const view = pageElement('#rows', HTMLElement);
const inside = pageElement('.rows-inside', HTMLElement, view);
const reserved = pageElement('#reserved', HTMLOutputElement);
const jump = pageElement('#jump', HTMLFormElement);

const known = new Map<number, StockRow>();
const asked = new Set<number>();

inside.style.height = `${STOCK_ROW_COUNT * ROW_HEIGHT_PX}px`;
const nodes = Array.from({ length: Math.ceil(view.clientHeight / ROW_HEIGHT_PX) + SPARE_ROWS }, createNode);

view.addEventListener('scroll', showRows);
jump.addEventListener('submit', (event) => {
  event.preventDefault();
  const row = Number(new FormData(jump).get('row'));
  view.scrollTop = (row - 1) * ROW_HEIGHT_PX;
});
showRows();

function createNode(): RowNode {
  const element = document.createElement('div');
  const label = document.createElement('span');
  const button = document.createElement('button');
  const node: RowNode = { element, label, button, row: 0 };
  element.className = 'stock-row';
  element.setAttribute('role', 'listitem');
  button.type = 'button';
  button.textContent = 'Reserve';
  button.addEventListener('click', () => {
    reserved.textContent = `Reserved row ${node.row}: ${known.get(node.row)?.name ?? 'unknown'}`;
  });
  element.append(label, button);
  inside.append(element);
  return node;
}

/** Row n always uses node n modulo their number, so scrolling by one row relabels one node. */
function showRows(): void {
  const top = Math.floor(view.scrollTop / ROW_HEIGHT_PX) - SPARE_ROWS / 2;
  const first = Math.min(Math.max(top, 0), STOCK_ROW_COUNT - nodes.length) + 1;
  for (let row = first; row < first + nodes.length; row += 1) {
    const node = nodes[row % nodes.length];
    if (node && node.row !== row) placeRow(node, row);
    void loadBlockOf(row);
  }
}

function placeRow(node: RowNode, row: number): void {
  node.row = row;
  node.element.style.transform = `translateY(${(row - 1) * ROW_HEIGHT_PX}px)`;
  node.element.setAttribute('aria-posinset', String(row));
  node.element.setAttribute('aria-setsize', String(STOCK_ROW_COUNT));
  labelRow(node);
}

function labelRow(node: RowNode): void {
  const stock = known.get(node.row);
  node.label.textContent = stock ? `${stock.name} · bay ${stock.bay} · ${stock.pieces} pieces` : 'Loading…';
  node.button.ariaLabel = `Reserve ${stock?.name ?? ''}`;
  node.button.disabled = stock === undefined;
}

async function loadBlockOf(row: number): Promise<void> {
  const from = row - ((row - 1) % STOCK_BLOCK_ROWS);
  if (asked.has(from)) return;
  asked.add(from);
  for (const stock of await getJson<StockRow[]>(`/api/rows?from=${from}`)) known.set(stock.row, stock);
  for (const node of nodes) labelRow(node);
}
