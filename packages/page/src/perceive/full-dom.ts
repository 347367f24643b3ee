import { liveElement, STAMP } from '../identity/element-registry.ts';
import { createScrubber } from '../secrets/scrub.ts';
import { isFilled, isInput, isSecretField, isTextArea, visibleValueOf } from '../secrets/secret-field.ts';
import { escapeAttribute, escapeText } from './skeleton.ts';
import type { SnapshotContext } from './snapshot.ts';
import { isElement, isText } from './text.ts';

export interface FullDomOptions {
  /** Limit in characters; contract 4's by default: whole up to 50,000, else cut at 200,000. */
  readonly limit?: number;
  /** Limits the HTML to the element with this id. */
  readonly region?: string;
}

export interface FullDom {
  readonly html: string;
  readonly truncated: boolean;
}

const WHOLE_LIMIT = 50_000;
const EXTENDED_LIMIT = 200_000;

/** https://html.spec.whatwg.org/multipage/syntax.html#void-elements */
const VOID_TAGS = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));
/** Code is not content, and may hold data not meant to be shown. */
const EMPTIED_TAGS = new Set(['script', 'style', 'noscript']);

/** The current page as HTML with secrets masked; only on request. */
export function fullDom(context: SnapshotContext, { limit, region }: FullDomOptions = {}): FullDom {
  const { document, shadowRootOf } = context;
  const most = limit ?? EXTENDED_LIMIT;
  const clean = createScrubber([document]);
  const pieces: string[] = [];
  // Writes a little more than is kept, as masking may shorten the text.
  let left = most + WHOLE_LIMIT;

  function write(text: string): void {
    pieces.push(text);
    left -= text.length;
  }

  function writeElement(element: Element): void {
    const tag = element.localName;
    write(`<${tag}${attributesOf(element)}>`);
    if (VOID_TAGS.has(tag)) return;
    const shadow = shadowRootOf(element);
    if (shadow !== undefined) {
      write('<template shadowrootmode="open">');
      writeChildren(shadow);
      write('</template>');
    }
    if (isTextArea(element)) write(escapeText(visibleValueOf(element) ?? ''));
    else if (!EMPTIED_TAGS.has(tag) && !isSecretField(element)) writeChildren(element);
    write(`</${tag}>`);
  }

  function writeChildren(parent: Node): void {
    for (let child = parent.firstChild; child !== null && left > 0; child = child.nextSibling) {
      if (isText(child)) write(escapeText(child.data));
      else if (isElement(child)) writeElement(child);
    }
  }

  writeElement(region === undefined ? document.documentElement : liveElement(context.registry, region));
  const html = clean.text(pieces.join(''));
  return html.length > most ? { html: html.slice(0, most), truncated: true } : { html, truncated: false };
}

function attributesOf(element: Element): string {
  let text = '';
  for (const { name, value } of element.attributes) {
    if (name !== STAMP && (name !== 'value' || !isInput(element)))
      text += ` ${name}="${escapeAttribute(value)}"`;
  }
  return text + valueAttribute(element);
}

/** The field's current value, not the one of its HTML; for a secret, only whether it is filled. */
function valueAttribute(element: Element): string {
  if (!isInput(element) || element.type === 'hidden') return '';
  if (isSecretField(element)) return isFilled(element) ? ' data-state="filled"' : '';
  const value = /^(?:button|submit|reset|checkbox|radio)$/.test(element.type)
    ? element.getAttribute('value')
    : visibleValueOf(element);
  return value ? ` value="${escapeAttribute(value)}"` : '';
}
