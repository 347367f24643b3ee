import { SHORT_ROLES } from '@drawbridge/protocol/semantic';
import { isEditable } from '../secrets/secret-field.ts';

/**
 * Traits of a role:
 * - `w` widget that a person operates directly: https://www.w3.org/TR/wai-aria-1.2/#widget_roles
 * - `m` no hint of the action, so it counts as a button when pressed
 * - `i` one of several equal items, `l` their container, whose listener means each of them
 * - `a` surrounds the page's text
 */
export type RoleTrait = 'w' | 'm' | 'i' | 'l' | 'a';

/** Concrete roles of https://www.w3.org/TR/wai-aria-1.2/#role_definitions and of the ARIA 1.3 draft. */
const ROLES = new Map(
  `alert alertdialog application article:i banner:a blockquote:m button:w caption:m cell checkbox:w code:m
  columnheader combobox:w comment complementary:a contentinfo:a definition:m deletion:m dialog directory
  document emphasis:m feed figure:m form generic:m grid:l gridcell group:m heading img image insertion:m
  link:w list:l listbox:l listitem:i log main mark:m marquee math menu:l menubar:l menuitem:w
  menuitemcheckbox:w menuitemradio:w meter navigation:a none:m note:m option:wi paragraph:m presentation:m
  progressbar radio:w radiogroup:l region row:i rowgroup:l rowheader scrollbar search:a searchbox:w separator
  slider:w spinbutton:w status strong:m subscript:m suggestion superscript:m switch:w tab:w table tablist:l
  tabpanel term:m textbox:w time:m timer toolbar:l tooltip tree:l treegrid treeitem:wi`
    .split(/\s+/)
    .map((line) => line.split(':'))
    .map(([role = '', traits = '']) => [role, traits]),
);

export function hasTrait(role: string | undefined, trait: RoleTrait): boolean {
  return ROLES.get(role ?? '')?.includes(trait) === true;
}

/**
 * Implicit roles, with their tags where the names differ:
 * https://www.w3.org/TR/html-aam-1.0/#html-element-role-mappings
 */
const IMPLICIT_ROLES = new Map(
  `article blockquote button caption code complementary:aside definition:dd deletion:del dialog document:html
  emphasis:em figure form group:details,fieldset,hgroup,optgroup heading:h1,h2,h3,h4,h5,h6 img:svg insertion:ins
  list:menu,ol,ul listbox:datalist main math meter navigation:nav option paragraph:p progressbar:progress row:tr
  rowgroup:tbody,tfoot,thead search separator:hr status:output strong subscript:sub superscript:sup table
  term:dfn,dt textbox:textarea time`
    .split(/\s+/)
    .map((line) => line.split(':'))
    .flatMap(([role = '', tags = role]) => tags.split(',').map((tag) => [tag, role])),
);

/** Roles that depend on more than the tag: condition, role if true, role if false. */
const DEPENDENT_ROLES: Readonly<Record<string, readonly [when: string, then: string, otherwise: string]>> = {
  a: ['[href]', 'link', 'generic'],
  area: ['[href]', 'link', 'generic'],
  footer: [':is(article, aside, main, nav, section) *', 'generic', 'contentinfo'],
  header: [':is(article, aside, main, nav, section) *', 'generic', 'banner'],
  li: [':is(ul, ol, menu) *', 'listitem', 'generic'],
  select: ['[multiple], [size]:not([size=""], [size="0"], [size="1"])', 'listbox', 'combobox'],
  // Only the first summary opens its details.
  summary: ['details > :first-of-type', 'button', 'generic'],
  td: [':is([role=grid], [role=treegrid]) *', 'gridcell', 'cell'],
  th: ['[scope=row]', 'rowheader', 'columnheader'],
};

/**
 * https://www.w3.org/TR/html-aam-1.0/#el-input-text and its neighbours. Where the specification has no role
 * (dates, colours, passwords, files), the role of the person's action: typing or pressing.
 */
const INPUT_ROLES: Readonly<Record<string, string>> = {
  checkbox: 'checkbox',
  radio: 'radio',
  range: 'slider',
  number: 'spinbutton',
  search: 'searchbox',
};

const GLOBAL_NAMING = ['aria-label', 'aria-labelledby', 'title'];

/** The element's ARIA role: the first valid explicit one, else the implicit one. */
export function roleOf(element: Element): string {
  const claimed = claimedRole(element);
  if (claimed !== undefined && !(isPresentational(claimed) && element.matches(KEEPS_ROLE))) return claimed;
  const implicit = implicitRole(element);
  return implicit === 'generic' && isEditable(element) ? 'textbox' : implicit;
}

/** The V3 role: `btn` for button; a role without a short form stays whole. */
export function shortRole(role: string): string {
  return Object.hasOwn(SHORT_ROLES, role) ? SHORT_ROLES[role as keyof typeof SHORT_ROLES] : role;
}

export function claimedRole(element: Element): string | undefined {
  const attribute = element.getAttribute('role');
  if (attribute === null) return undefined;
  const role = attribute
    .toLowerCase()
    .split(/\s+/)
    .find((token) => ROLES.has(token));
  return role === 'image' ? 'img' : role;
}

function implicitRole(element: Element): string {
  const tag = element.localName;
  if (tag === 'input') return inputRole(element);
  if (tag === 'img') return isDecorative(element) ? 'presentation' : 'img';
  if (tag === 'section') return hasNamingAttribute(element) ? 'region' : 'generic';
  const dependent = Object.hasOwn(DEPENDENT_ROLES, tag) ? DEPENDENT_ROLES[tag] : undefined;
  if (dependent === undefined) return IMPLICIT_ROLES.get(tag) ?? 'generic';
  const [when, then, otherwise] = dependent;
  return element.matches(when) ? then : otherwise;
}

function isPresentational(role: string): boolean {
  return role === 'none' || role === 'presentation';
}

/** https://www.w3.org/TR/wai-aria-1.2/#conflict_resolution_presentation_none */
const KEEPS_ROLE =
  '[aria-label], [aria-labelledby], [tabindex], a[href], area[href], :is(button, input, select, textarea, summary):not([disabled])';

function inputRole(element: Element): string {
  const type = 'type' in element ? String(element.type) : 'text';
  if (type === 'checkbox' && element.hasAttribute('switch')) return 'switch';
  if (/^(?:button|submit|reset|image|file|color)$/.test(type)) return 'button';
  const isCombobox = element.hasAttribute('list') && /^(?:text|search|tel|url|email)$/.test(type);
  return isCombobox ? 'combobox' : (INPUT_ROLES[type] ?? 'textbox');
}

/** An empty `alt` means decoration, unless something else names the image. */
function isDecorative(element: Element): boolean {
  return (
    element.getAttribute('alt') === '' && !hasNamingAttribute(element) && !element.hasAttribute('tabindex')
  );
}

function hasNamingAttribute(element: Element): boolean {
  return GLOBAL_NAMING.some((name) => (element.getAttribute(name) ?? '').trim() !== '');
}
