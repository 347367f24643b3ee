import { type Change, DRIFTS, PANELS, type PanelName, type Part } from '../drifts.ts';

type Attributes = Readonly<Record<string, string>>;
type Child = Node | string;

const query = new URLSearchParams(location.search);
const HASH = '07S1Yg';

export const MODELS = ['small', 'large'];
export const MODES = ['ask', 'plan'];

function changeOf(panel: PanelName): Change | undefined {
  const number = Number(query.get('drift') ?? 0);
  return DRIFTS[panel][number - 1];
}

function panelHere(): PanelName {
  const found = PANELS.find((name) => name === document.body.dataset['panel']);
  if (found === undefined) throw new Error('The document names no panel.');
  return found;
}

const change = changeOf(panelHere());
const isChanged = (kind: Change['kind'], part: Part): boolean =>
  change?.kind === kind && 'parts' in change && change.parts.includes(part);

/** A class name as a CSS-module build writes it. */
export const hashed = (name: string): string => `${name}_${change?.kind === 'rehashed' ? 'Zz9-k2' : HASH}`;

export function element(tag: string, attributes: Attributes = {}, ...children: readonly Child[]) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

const NAMING = [
  'class',
  'data-testid',
  'aria-label',
  'role',
  'data-content-search-unit-key',
  'data-approval',
];

/** Creates a part as this version of the panel has it. */
export function part(name: Part, tag: string, attributes: Attributes = {}, ...children: readonly Child[]) {
  const named = isChanged('renamed', name)
    ? Object.fromEntries(Object.entries(attributes).filter(([key]) => !NAMING.includes(key)))
    : attributes;
  const plain = tag.includes('-') && isChanged('renamed', name) ? 'div' : tag;
  return element(plain, isChanged('renamed', name) ? { ...named, class: `v2-${name}` } : named, ...children);
}

/** Inserts a part at its usual place, or where this version moves it. */
export function place(name: Part, made: HTMLElement, into: Element): void {
  if (isChanged('removed', name)) return;
  if (isChanged('moved', name)) document.body.append(made);
  else if (isChanged('wrapped', name)) into.append(element('div', {}, element('section', {}, made)));
  else into.append(made);
  if (isChanged('doubled', name)) {
    const copy = made.cloneNode(true);
    if (copy instanceof Element)
      copy.addEventListener('click', () => reportToHost('pressed', `a second ${name}`));
    into.append(copy);
  }
}

/** Removes it, wherever it was placed. */
export function unplace(made: Element): void {
  const outer = made.closest('section')?.parentElement;
  (outer?.contains(made) && isWrapper(outer) ? outer : made).remove();
}

const isWrapper = (outer: Element): boolean => outer.attributes.length === 0 && outer.localName === 'div';

/** Logged before anything shows on the page, so that a visible effect always has its cause in the log. */
export function reportToHost(kind: 'sent' | 'pressed', text: string): void {
  const request = new XMLHttpRequest();
  request.open('POST', `/log?panel=${query.get('id') ?? ''}`, false);
  request.send(JSON.stringify({ kind, text }));
}

/** A button that must not be pressed by mistake. */
export function decoy(label: string, attributes: Attributes = {}) {
  const button = element('button', { type: 'button', ...attributes }, label);
  button.addEventListener('click', () => reportToHost('pressed', label));
  return button;
}

export function svg(shape: 'path' | 'rect', attributes: Attributes): SVGElement {
  const space = 'http://www.w3.org/2000/svg';
  const picture = document.createElementNS(space, 'svg');
  picture.setAttribute('width', '16');
  picture.setAttribute('height', '16');
  const drawn = document.createElementNS(space, shape);
  for (const [name, value] of Object.entries(attributes)) drawn.setAttribute(name, value);
  picture.append(drawn);
  return picture;
}
