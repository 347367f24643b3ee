import { SHORT_ROLES } from '@drawbridge/protocol/semantic';
import { isEditable } from '../secrets/secret-field.ts';

/** https://www.w3.org/TR/wai-aria-1.2/#role_definitions, the concrete ones, and those of ARIA 1.3's draft. */
const ARIA_ROLES = new Set(
  `alert alertdialog application article banner blockquote button caption cell checkbox code columnheader
  combobox comment complementary contentinfo definition deletion dialog directory document emphasis feed
  figure form generic grid gridcell group heading img image insertion link list listbox listitem log main mark
  marquee math menu menubar menuitem menuitemcheckbox menuitemradio meter navigation none note option paragraph
  presentation progressbar radio radiogroup region row rowgroup rowheader scrollbar search searchbox separator
  slider spinbutton status strong subscript suggestion superscript switch tab table tablist tabpanel term
  textbox time timer toolbar tooltip tree treegrid treeitem`.split(/\s+/),
);

/** https://www.w3.org/TR/html-aam-1.0/#html-element-role-mappings: the role of an element that names none. */
const IMPLICIT_ROLES = new Map(
  `article:article blockquote:blockquote button:button caption:caption code:code complementary:aside
  definition:dd deletion:del dialog:dialog document:html emphasis:em figure:figure form:form
  group:details,fieldset,hgroup,optgroup heading:h1,h2,h3,h4,h5,h6 img:svg insertion:ins list:menu,ol,ul
  listbox:datalist main:main math:math meter:meter navigation:nav option:option paragraph:p
  progressbar:progress row:tr rowgroup:tbody,tfoot,thead search:search separator:hr status:output
  strong:strong subscript:sub superscript:sup table:table term:dfn,dt textbox:textarea time:time`
    .split(/\s+/)
    .map((line) => line.split(':'))
    .flatMap(([role = '', tags = '']) => tags.split(',').map((tag) => [tag, role])),
);

/** Those that depend on more than the tag. */
const DEPENDENT_ROLES: Readonly<Record<string, (element: Element) => string>> = {
  a: (element) => (element.hasAttribute('href') ? 'link' : 'generic'),
  area: (element) => (element.hasAttribute('href') ? 'link' : 'generic'),
  footer: (element) => (isInSection(element) ? 'generic' : 'contentinfo'),
  header: (element) => (isInSection(element) ? 'generic' : 'banner'),
  img: (element) => (isDecorative(element) ? 'presentation' : 'img'),
  input: (element) => inputRole(element),
  li: (element) => (element.closest('ul, ol, menu') ? 'listitem' : 'generic'),
  section: (element) => (hasNamingAttribute(element) ? 'region' : 'generic'),
  select: (element) => (isListBox(element) ? 'listbox' : 'combobox'),
  summary: (element) => (isSummary(element) ? 'button' : 'generic'),
  td: (element) => (element.closest('[role=grid], [role=treegrid]') ? 'gridcell' : 'cell'),
  th: (element) => (element.getAttribute('scope') === 'row' ? 'rowheader' : 'columnheader'),
};

/**
 * https://www.w3.org/TR/html-aam-1.0/#el-input-text and its neighbours. Where the specification has no
 * role (dates, colours, passwords, files) this is what a person does with it: type, or press.
 */
const INPUT_ROLES: Readonly<Record<string, string>> = {
  button: 'button',
  submit: 'button',
  reset: 'button',
  image: 'button',
  file: 'button',
  color: 'button',
  checkbox: 'checkbox',
  radio: 'radio',
  range: 'slider',
  number: 'spinbutton',
  search: 'searchbox',
};

const GLOBAL_NAMING = ['aria-label', 'aria-labelledby', 'title'];

/** The element's ARIA role: the first valid one it claims, else the one its tag implies. */
export function roleOf(element: Element): string {
  const claimed = claimedRole(element);
  if (claimed !== undefined && !(isPresentational(claimed) && mustKeepRole(element))) return claimed;
  const implicit = implicitRole(element);
  return implicit === 'generic' && isEditable(element) ? 'textbox' : implicit;
}

/** The role as V3 writes it: `btn` for button; a role without a short form stays whole. */
export function shortRole(role: string): string {
  return Object.hasOwn(SHORT_ROLES, role) ? SHORT_ROLES[role as keyof typeof SHORT_ROLES] : role;
}

export function claimedRole(element: Element): string | undefined {
  const attribute = element.getAttribute('role');
  if (attribute === null) return undefined;
  const role = attribute
    .toLowerCase()
    .split(/\s+/)
    .find((token) => ARIA_ROLES.has(token));
  return role === 'image' ? 'img' : role;
}

function implicitRole(element: Element): string {
  const tag = element.localName;
  const dependent = Object.hasOwn(DEPENDENT_ROLES, tag) ? DEPENDENT_ROLES[tag] : undefined;
  return dependent?.(element) ?? IMPLICIT_ROLES.get(tag) ?? 'generic';
}

function isPresentational(role: string): boolean {
  return role === 'none' || role === 'presentation';
}

/** https://www.w3.org/TR/wai-aria-1.2/#conflict_resolution_presentation_none */
function mustKeepRole(element: Element): boolean {
  if (element.hasAttribute('aria-label') || element.hasAttribute('aria-labelledby')) return true;
  return element.hasAttribute('tabindex') || isFocusableByTag(element);
}

function isFocusableByTag(element: Element): boolean {
  if (element.localName === 'a' || element.localName === 'area') return element.hasAttribute('href');
  return (
    /^(?:button|input|select|textarea|summary)$/.test(element.localName) && !element.hasAttribute('disabled')
  );
}

function inputRole(element: Element): string {
  const type = 'type' in element ? String(element.type) : 'text';
  if (type === 'checkbox' && element.hasAttribute('switch')) return 'switch';
  const role = INPUT_ROLES[type];
  if (role !== undefined && role !== 'searchbox') return role;
  return element.hasAttribute('list') && /^(?:text|search|tel|url|email)$/.test(type)
    ? 'combobox'
    : (role ?? 'textbox');
}

function isListBox(element: Element): boolean {
  return element.hasAttribute('multiple') || Number(element.getAttribute('size')) > 1;
}

/** Only the first summary of a details opens it. */
function isSummary(element: Element): boolean {
  const details = element.parentElement;
  return details?.localName === 'details' && details.querySelector(':scope > summary') === element;
}

/** An empty `alt` says "decoration", unless something else names the picture. */
function isDecorative(element: Element): boolean {
  return (
    element.getAttribute('alt') === '' && !hasNamingAttribute(element) && !element.hasAttribute('tabindex')
  );
}

function isInSection(element: Element): boolean {
  return element.closest('article, aside, main, nav, section') !== null;
}

function hasNamingAttribute(element: Element): boolean {
  return GLOBAL_NAMING.some((name) => (element.getAttribute(name) ?? '').trim() !== '');
}
