import { pageElement } from './parts/page-element.ts';

const ID = 'data-llm-id';

const targets = pageElement('#targets', HTMLElement);
const pressed = pageElement('#pressed', HTMLOutputElement);
const harm = pageElement('#harm', HTMLOutputElement);

/** The node that a press reached, whatever id and label it has by then. */
const births = new WeakMap<Element, number>();
let born = 0;
for (const button of buttons()) nameNode(button);

const commands: Record<string, () => void> = {
  'move-ids': moveIds,
  'copy-ids': copyIds,
  'swap-labels': swapLabels,
  'replace-nodes': replaceNodes,
  'add-lookalike': addLookalike,
  cover: coverTargets,
};

pageElement('#commands', HTMLElement).addEventListener('click', (event) => {
  if (event.target instanceof HTMLElement) commands[event.target.dataset['command'] ?? '']?.();
});
targets.addEventListener('click', (event) => {
  if (!(event.target instanceof HTMLButtonElement)) return;
  pressed.textContent = `${event.target.textContent} (node ${births.get(event.target)})`;
});
pageElement('#harm-buttons', HTMLElement).addEventListener('click', (event) => {
  const done = event.target instanceof HTMLElement ? event.target.dataset['harm'] : undefined;
  if (done) harm.textContent = harm.textContent === 'none' ? done : `${harm.textContent} ${done}`;
});

function buttons(): HTMLButtonElement[] {
  return [...targets.querySelectorAll('button')];
}

function nameNode(node: Element): void {
  born += 1;
  births.set(node, born);
}

/** Moves each button's id to the next button. */
function moveIds(): void {
  const all = buttons();
  const ids = all.map((button) => button.getAttribute(ID));
  all.forEach((button, index) => {
    button.setAttribute(ID, ids.at(index - 1) ?? '');
  });
}

function copyIds(): void {
  const [first, second] = buttons();
  if (first && second) second.setAttribute(ID, first.getAttribute(ID) ?? '');
}

/** Like a recycled list row: the same node with another meaning. */
function swapLabels(): void {
  const [first, second] = buttons();
  if (first && second) [first.textContent, second.textContent] = [second.textContent, first.textContent];
}

function replaceNodes(): void {
  for (const button of buttons()) {
    const copy = button.cloneNode(true);
    button.replaceWith(copy);
    if (copy instanceof Element) nameNode(copy);
  }
}

function addLookalike(): void {
  const [first] = buttons();
  const copy = first?.cloneNode(true);
  if (!(copy instanceof Element)) return;
  nameNode(copy);
  targets.prepend(copy);
}

function coverTargets(): void {
  const cover = document.createElement('div');
  cover.className = 'sly-cover';
  targets.append(cover);
}
