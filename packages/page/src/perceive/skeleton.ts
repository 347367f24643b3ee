/** An element as markup, of a live page or of a parsed one: all that the skeleton's rules ask about. */
export interface MarkupElement {
  readonly tag: string;
  readonly attribute: (name: string) => string | null;
  readonly children: Iterable<MarkupElement | string>;
  /** Neither shown nor pressable. */
  readonly hidden: boolean;
  /** The id that actions use. */
  readonly id?: string;
  /** What the field holds now; nothing for secrets. */
  readonly value?: string;
  /** What a person calls it, when neither its text nor its attributes say so. */
  readonly label?: string;
}

/** Contract 4, section 5.6. */
const KEPT_TAGS = new Set(['button', 'input', 'select', 'textarea']);
const KEPT_ROLES = new Set(['button', 'link', 'menuitem', 'tab']);
const KEPT_ATTRIBUTES = ['name', 'type', 'href', 'value', 'placeholder', 'role', 'aria-label', 'data-testid'];
const DROPPED_TAGS = new Set(['style', 'script', 'noscript', 'template', 'link', 'meta', 'head', 'title']);
const EMPTY_TAGS = new Set(['input']);

/** `skeletonDom` of a request is at most this long. */
const LIMIT = 100_000;

/** The page as HTML of nothing but what can be acted on; whole elements up to the limit. */
export function skeletonOf(root: MarkupElement, limit = LIMIT): string {
  const lines: string[] = [];
  let length = 0;
  const add = (line: string): boolean => {
    if (length + line.length + 1 > limit) return false;
    lines.push(line);
    length += line.length + 1;
    return true;
  };
  keepIn(root, add);
  return lines.join('\n');
}

function keepIn(element: MarkupElement, add: (line: string) => boolean): boolean {
  if (DROPPED_TAGS.has(element.tag) || isGone(element)) return true;
  if (isKept(element)) return element.hidden ? keepChildren(element, add) : add(markup(element));
  return keepChildren(element, add);
}

function keepChildren(element: MarkupElement, add: (line: string) => boolean): boolean {
  for (const child of element.children) if (typeof child !== 'string' && !keepIn(child, add)) return false;
  return true;
}

export function isKept(element: MarkupElement): boolean {
  const { tag, attribute } = element;
  if (tag === 'a') return attribute('href') !== null || isMadeActive(element);
  if (tag === 'input') return attribute('type')?.toLowerCase() !== 'hidden';
  return KEPT_TAGS.has(tag) || isMadeActive(element);
}

function isMadeActive({ attribute }: MarkupElement): boolean {
  if (attribute('onclick') !== null || attribute('contenteditable')?.toLowerCase() === 'true') return true;
  if (KEPT_ROLES.has(attribute('role')?.toLowerCase() ?? '')) return true;
  const tabindex = attribute('tabindex');
  return tabindex !== null && Number.parseInt(tabindex, 10) >= 0;
}

/** Hidden with all that is in it; an element that is only invisible may have visible children. */
function isGone({ attribute }: MarkupElement): boolean {
  return attribute('hidden') !== null && attribute('hidden') !== 'until-found';
}

function markup(element: MarkupElement): string {
  const { tag } = element;
  const inside = EMPTY_TAGS.has(tag) ? '' : contents(element);
  const attributes = attributesOf(element, inside);
  return EMPTY_TAGS.has(tag) ? `<${tag}${attributes}>` : `<${tag}${attributes}>${inside}</${tag}>`;
}

/** Its text, and the kept elements inside it; of everything else only the text. */
function contents(element: MarkupElement): string {
  if (element.tag === 'textarea') return escapeText(element.value ?? '');
  const pieces: string[] = [];
  for (const child of element.children) {
    if (typeof child === 'string') pieces.push(escapeText(child));
    else if (!DROPPED_TAGS.has(child.tag) && child.tag !== 'svg' && !child.hidden && !isGone(child)) {
      if (child.tag === 'option') pieces.push(`<option>${contents(child)}</option>`);
      else pieces.push(isKept(child) ? markup(child) : ` ${contents(child)} `);
    }
  }
  return pieces.join('').replace(/\s+/g, ' ').trim();
}

function attributesOf(element: MarkupElement, inside: string): string {
  const values = KEPT_ATTRIBUTES.map((name) => [name, attributeOf(element, name, inside)] as const);
  return [['id', element.id] as const, ...values]
    .flatMap(([name, value]) => (value == null || value === '' ? [] : ` ${name}="${escapeAttribute(value)}"`))
    .join('');
}

function attributeOf(element: MarkupElement, name: string, inside: string): string | null | undefined {
  if (name === 'value') return element.tag === 'textarea' ? undefined : element.value;
  if (name === 'aria-label' && element.attribute(name) === null)
    return inside === '' ? element.label : undefined;
  return element.attribute(name);
}

export function escapeText(text: string): string {
  return text.replace(/[&<>]/g, (character) => ENTITIES[character] ?? character);
}

export function escapeAttribute(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
