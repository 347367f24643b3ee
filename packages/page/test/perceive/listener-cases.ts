/**
 * 65 elements that react to a press without semantic markup, in styles of real pages. Each has a `data-case`,
 * by which a test finds which were listed.
 */
interface ListenerStyle {
  readonly style: string;
  readonly html: readonly string[];
  /** Runs in the page for each of them. */
  readonly attach?: (element: Element, index: number) => void;
  /** Only the listener itself shows it: found only by a host that sees listeners. */
  readonly silent?: true;
}

const leaf = (tag: string, attributes = '') => `<${tag} ${attributes}>Case</${tag}>`;

const STYLES: readonly ListenerStyle[] = [
  { style: 'onclick attribute', html: ['div', 'span', 'p', 'b'].map((tag) => leaf(tag, 'onclick="1"')) },
  {
    style: 'onclick property',
    html: ['div', 'span', 'em', 'section'].map((tag) => leaf(tag)),
    attach: (element) => void Object.assign(element, { onclick() {} }),
  },
  {
    style: 'a hand and a listener',
    html: ['div', 'span', 'p', 'strong', 'i'].map((tag) => leaf(tag, 'style="cursor:pointer"')),
    attach: (element) => element.addEventListener('click', () => {}),
  },
  {
    style: 'React',
    html: ['div', 'span', 'p', 'div'].map((tag) => leaf(tag)),
    attach: (element, index) => {
      const prop = ['onClick', 'onMouseDown', 'onPointerUp', 'onClickCapture'][index] ?? 'onClick';
      Object.assign(element, { [`__reactProps$${index}x`]: { [prop]() {}, className: 'a' } });
    },
  },
  {
    style: 'Vue 3',
    html: ['div', 'span', 'p'].map((tag) => leaf(tag)),
    attach: (element) => void Object.assign(element, { _vei: { onClick() {} } }),
  },
  {
    style: 'Vue 2',
    html: ['div', 'span'].map((tag) => leaf(tag)),
    attach: (element) =>
      void Object.assign(element, { __vue__: {}, _vnode: { data: { on: { click() {} } } } }),
  },
  {
    style: 'Svelte 5',
    html: ['div', 'span'].map((tag) => leaf(tag)),
    attach: (element) => void Object.assign(element, { __click: () => {} }),
  },
  {
    style: 'Solid',
    html: ['div', 'span'].map((tag) => leaf(tag)),
    attach: (element) => void Object.assign(element, { $$click: () => {} }),
  },
  {
    style: 'Preact',
    html: ['div', 'span'].map((tag) => leaf(tag)),
    attach: (element) => void Object.assign(element, { l: { clickfalse() {} } }),
  },
  {
    style: 'Angular',
    html: ['div', 'span'].map((tag) => leaf(tag)),
    attach: (element) => void Object.assign(element, { __zone_symbol__clickfalse: [{}] }),
  },
  {
    style: 'jQuery',
    html: ['div', 'span'].map((tag) => leaf(tag)),
    attach: (element) =>
      void Object.assign(element, { jQuery371: { events: { click: [{ handler() {} }] } } }),
  },
  {
    style: 'jQuery, delegated',
    html: [`<div>${leaf('p', 'class="row"').repeat(3)}</div>`],
    attach: (element) => {
      const container = element.parentElement;
      const events = { click: [{ selector: '.row', handler() {} }] };
      if (container) Object.assign(container, { jQuery371: { events } });
    },
  },
  {
    style: 'Alpine',
    html: [
      leaf('div', '@click="open = true"'),
      leaf('span', 'x-on:click="go"'),
      leaf('p', '@click.prevent="go"'),
    ],
  },
  { style: 'Livewire', html: [leaf('div', 'wire:click="save"')] },
  { style: 'AngularJS', html: [leaf('div', 'ng-click="go()"')] },
  { style: 'htmx', html: [leaf('div', 'hx-get="/x"'), leaf('span', 'hx-post="/x"')] },
  {
    style: 'Stimulus',
    html: [
      leaf('div', 'data-action="click-&gt;menu#open"'),
      leaf('span', 'data-action="pointerdown-&gt;a#b"'),
    ],
  },
  {
    style: 'jsaction',
    html: [leaf('div', 'jsaction="click:aB3.c"'), leaf('span', 'jsaction="JIbuQc:x;click:y"')],
  },
  { style: 'Knockout', html: [leaf('div', 'data-bind="text: a, click: go"')] },
  { style: 'Bootstrap', html: [leaf('div', 'data-bs-toggle="modal"')] },
  {
    style: 'keyboard only',
    html: ['div', 'span'].map((tag) => leaf(tag, 'tabindex="0"')),
    attach: (element) => element.addEventListener('keydown', () => {}),
  },
  {
    style: 'a listener and nothing else',
    html: ['div', 'span', 'p', 'div'].map((tag) => leaf(tag)),
    attach: (element, index) => {
      element.addEventListener(['click', 'mousedown', 'pointerdown', 'mouseup'][index] ?? 'click', () => {});
    },
    silent: true,
  },
  {
    style: 'a list that listens for its items',
    html: [`<ul>${leaf('li').repeat(4)}</ul>`],
    attach: (element) => element.parentElement?.addEventListener('click', () => {}),
    silent: true,
  },
  {
    style: 'a table that listens for its rows',
    html: [`<table><tbody>${'<tr data-row><td>Case</td><td>x</td></tr>'.repeat(3)}</tbody></table>`],
    attach: (element) => element.closest('table')?.addEventListener('click', () => {}),
    silent: true,
  },
  {
    style: 'a keypad',
    html: [`<div>${leaf('span', 'class="key"').repeat(4)}</div>`],
    attach: (element) => element.parentElement?.addEventListener('click', () => {}),
    silent: true,
  },
];

function numbered(): {
  html: string;
  styles: { name: string; ids: string[]; attach: string; silent: boolean }[];
} {
  let count = 0;
  const styles: { name: string; ids: string[]; attach: string; silent: boolean }[] = [];
  const html = STYLES.map(({ style, html, attach, silent }) => {
    const ids: string[] = [];
    const body = html
      .join('\n')
      .replace(/<(\w+)([^>]*)>(?=Case|<td>Case)/g, (_, tag: string, attributes: string) => {
        if (tag === 'td') return `<td${attributes}>`;
        count++;
        ids.push(String(count));
        return `<${tag}${attributes} data-case="${count}">`;
      });
    const script = attach === undefined ? '' : `(${attach.toString()})`;
    styles.push({ name: style, ids, attach: script, silent: silent === true });
    let next = 0;
    return `<div style="padding:1px;font-size:8px">${body.replace(/Case/g, () => `Case ${ids[next++]}`)}</div>`;
  }).join('\n');
  return { html, styles };
}

export const LISTENER_PAGE = numbered();
