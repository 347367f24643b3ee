/** Elements that react to a press without semantic markup, as page scripts make them. */
interface ListeningKind {
  readonly kind: string;
  readonly html?: string;
  /** The body of a function of `element`. */
  readonly attach: string;
}

const heard = (type: string, options = '') => `element.addEventListener('${type}', () => {}${options})`;

export const LISTENING_KINDS: readonly ListeningKind[] = [
  ...['click', 'mousedown', 'mouseup', 'pointerdown', 'pointerup', 'touchstart', 'touchend'].map((type) => ({
    kind: type,
    attach: heard(type),
  })),
  { kind: 'property', attach: 'element.onclick = () => {}' },
  { kind: 'pointer property', attach: 'element.onpointerup = () => {}' },
  { kind: 'attribute', html: '<div onclick="1">', attach: '' },
  { kind: 'captured', attach: heard('click', ', true') },
  { kind: 'passive', attach: heard('touchstart', ', { passive: true }') },
  { kind: 'once', attach: heard('click', ', { once: true }') },
  { kind: 'an object that hears', attach: "element.addEventListener('click', { handleEvent() {} })" },
  { kind: 'a bound method', attach: "element.addEventListener('click', (function () {}).bind(element))" },
  { kind: 'with a signal', attach: heard('click', ', { signal: new AbortController().signal }') },
  { kind: 'span', html: '<span>', attach: heard('click') },
  { kind: 'paragraph', html: '<p>', attach: heard('click') },
  { kind: 'list item', html: '<li>', attach: heard('click') },
  { kind: 'emphasis', html: '<em>', attach: heard('mousedown') },
  { kind: 'section', html: '<section>', attach: heard('click') },
  { kind: 'element of its own', html: '<my-element>', attach: heard('click') },
  {
    kind: 'in a shadow root',
    html: '<div data-shadow="open">',
    attach: heard('click'),
  },
  { kind: 'in a closed root', html: '<div data-shadow="closed">', attach: heard('click') },
  { kind: 'later', attach: `queueMicrotask(() => ${heard('click')})` },
  { kind: 'bound twice', attach: `${heard('click')}; ${heard('pointerdown')}` },
];

export function listeningPage(): string {
  const parts = LISTENING_KINDS.map(({ kind, html = '<div>', attach }, at) => {
    const tag = html.replace('>', ` id=k${at}>`);
    const name = /^<([\w-]+)/.exec(html)?.[1];
    return `${tag}${html.includes('shadow') ? '' : kind}</${name}><script>{
      let element = k${at};
      if (element.dataset.shadow) {
        element = element.attachShadow({ mode: element.dataset.shadow }).appendChild(document.createElement('p'));
        element.textContent = '${kind}';
      }
      ${attach};
    }</script>`;
  });
  return `${parts.join('\n')}<div>silent</div>`;
}
