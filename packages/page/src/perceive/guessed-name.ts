import { words } from '@drawbridge/protocol/secrets';
import { isField } from '../secrets/secret-field.ts';
import { tidy } from './text.ts';
import { styleOf } from './walk-cache.ts';

const HINTING_ATTRIBUTES = [
  'data-tooltip',
  'data-original-title',
  'data-title',
  'data-label',
  'alt',
  'title',
];
const ICON_ATTRIBUTES = ['data-icon', 'data-lucide', 'data-feather', 'icon', 'icon-name'];
/** `q`, `p` and `id` are names for programs only. */
const SHORTEST_WORD = 3;
const LONGEST_NAME = 40;
/** An icon consists of a few elements. */
const MOST_PARTS = 20;

/** Words of classes, files and symbols that name no act. */
const PLAIN_WORDS = new Set(
  `icon icons ico ic svg sprite img image images button btn fa fas far fab fal fad solid regular brands light outline
  outlined rounded round sharp filled fill material symbols glyphicon glyphicons bi mdi lucide feather ti ri la las
  lar inline anchor link item element wrapper wrap container inner outer content small large tiny big medium default
  primary secondary control controls action actions clickable pointer toggle ui js the cell box row column square
  tile block card div span text label on off active selected open opened closed disabled enabled hover focus focused
  current checked visible hidden show shown draggable droppable sortable root app main page left right top bottom
  first last even odd handle component widget class name field input one two three`.split(/\s+/),
);
/** Utility classes say how something looks. */
const UTILITY =
  /^(?:flex|inline|block|grid|items|justify|self|place|text|bg|border|rounded|[pm][xytrblse]?|[wh]|min|max|gap|space|cursor|font|leading|tracking|shadow|ring|outline|transition|duration|ease|animate|opacity|z|relative|absolute|fixed|sticky|static|top|left|right|bottom|inset|overflow|hover|focus|dark|sm|md|lg|xl|group|peer|shrink|grow|stroke|fill|size|align|float|clear|cols?|pull|d|order|select|pointer|sr|visually|css|sc|ng|v|svelte|astro|jsx)(?:[-:_]|$)/;
const ICON_CLASS =
  /^(?:fa|bi|glyphicon|icon|ico|mdi|lucide|feather|ti|ri|la|ion|octicon|codicon|material-icons?|i)-(?=\D)/;
/** `trk` and `btnX` are for programs only. */
const VOWEL = /[aeiouy]/i;
/** A class with a hash, as CSS modules and styled components write it. */
const HASHED = /\d|__|[A-Z].*[A-Z]|^_|[bcdfghjklmnpqrstvwxz]{5}/;

/** Last resort for unnamed elements: a name from the icon, file, class, address or code. Always a guess. */
export function guessName(element: Element): string {
  for (const attribute of HINTING_ATTRIBUTES) {
    const hint = tidy(element.getAttribute(attribute) ?? '');
    if (hint !== '') return hint;
  }
  const parts = isField(element) ? [element] : partsOf(element);
  return (
    drawnTitle(element) ||
    drawnSign(element) ||
    first(parts, symbolName) ||
    first(parts, (part) => first(ICON_ATTRIBUTES, (name) => nameIn(part.getAttribute(name) ?? ''))) ||
    first(parts, iconClass) ||
    first(parts, fileName) ||
    fieldName(element) ||
    cellName(element) ||
    addressName(element) ||
    first(parts, wordClass) ||
    nameIn(HASHED.test(element.id) ? '' : element.id)
  );
}

function partsOf(element: Element): Element[] {
  const parts = [element];
  for (const part of element.getElementsByTagName('*')) {
    if (parts.length > MOST_PARTS) return [element];
    parts.push(part);
  }
  return parts;
}

function first<Item>(items: Iterable<Item>, name: (item: Item) => string): string {
  for (const item of items) {
    const found = name(item);
    if (found !== '') return found;
  }
  return '';
}

function drawnTitle(element: Element): string {
  return tidy(element.querySelector('svg title, svg desc')?.textContent ?? '');
}

const LONGEST_SIGN = 12;

/** Words or a sign that a style draws: the arrow of a branch. */
function drawnSign(element: Element): string {
  if (isField(element) || element.childElementCount > 0) return '';
  const drawn = ['::before', '::after'].map((pseudo) => getComputedStyle(element, pseudo).content);
  const sign = tidy(drawn.map((content) => /^"(.*)"$/.exec(content)?.[1] ?? '').join(' '));
  return sign.length <= LONGEST_SIGN ? sign : '';
}

function symbolName(part: Element): string {
  if (part.localName !== 'use') return '';
  const address = part.getAttribute('href') ?? part.getAttribute('xlink:href') ?? '';
  return nameIn(address.split('#')[1] ?? '');
}

function iconClass(part: Element): string {
  return first(part.classList, (token) =>
    ICON_CLASS.test(token) ? nameIn(token.replace(ICON_CLASS, '')) : '',
  );
}

function wordClass(part: Element): string {
  return first(part.classList, (token) =>
    UTILITY.test(token) || HASHED.test(token) || !VOWEL.test(token) ? '' : nameIn(token),
  );
}

/** `trash` of `/icons/trash_24.svg`, in an image, a background or a mask. */
function fileName(part: Element): string {
  const source = part.localName === 'img' || part.localName === 'image' || part.localName === 'input';
  const given = source ? (part.getAttribute('src') ?? part.getAttribute('href') ?? '') : drawnAddress(part);
  if (given === '' || /^(?:data|blob):/i.test(given)) return '';
  const path = given.split(/[?#]/)[0] ?? '';
  const file = path.slice(path.lastIndexOf('/') + 1).replace(/\.\w{2,5}$/, '');
  return /[0-9a-f]{8}/.test(file) ? '' : nameIn(file.replace(/[-_@.]?\d+(?:px|x)?$/, ''));
}

function drawnAddress(part: Element): string {
  const { backgroundImage, maskImage } = styleOf(part);
  return /url\("?([^")]+)/.exec(`${backgroundImage} ${maskImage}`)?.[1] ?? '';
}

function fieldName(element: Element): string {
  const name = isField(element) ? words(element.getAttribute('name') ?? '') : '';
  return name.length >= SHORTEST_WORD ? name : '';
}

/** `D 2`, by the headers of an empty cell. */
function cellName(element: Element): string {
  const row = element.getAttribute('role') === 'gridcell' ? element.closest('[role=row], tr') : null;
  if (row === null || element.childElementCount > 0) return '';
  const at = [...row.children].indexOf(element);
  const top = row.closest('[role=grid], [role=treegrid], table')?.querySelector('[role=row], tr');
  const column = top === row ? undefined : top?.children[at];
  const side = row.querySelector('[role=rowheader], th[scope=row]');
  const names = [column, side].map((header) => tidy(header?.textContent ?? ''));
  return names.every((name) => name !== '' && name.length <= LONGEST_NAME) ? names.join(' ') : '';
}

/** `/account/orders?page=2` is a link to orders. */
function addressName(element: Element): string {
  const href = element.getAttribute('href');
  if (href === null || /^(?:javascript|data|blob):/i.test(href)) return '';
  const path = (href.split(/[?#]/)[0] ?? '').replace(/\/+$/, '');
  const last = path.slice(path.lastIndexOf('/') + 1);
  return last.length <= LONGEST_NAME ? words(last.replace(/\.\w{2,5}$/, '')) : '';
}

/** The telling words of a name that was written for programs. */
function nameIn(text: string): string {
  if (text.length > LONGEST_NAME) return '';
  const telling = words(text)
    .split(' ')
    .filter((word, at) => !PLAIN_WORDS.has(word) && !/^\d+$/.test(word) && !(at === 0 && /^\w$/.test(word)));
  const name = telling.join(' ');
  return name.length >= SHORTEST_WORD ? name : '';
}
