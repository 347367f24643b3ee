import type { SeededRandom } from '@drawbridge/testbed';

/** A page to press in and the kind of press, generated from a seed. */
export interface PressCase {
  readonly html: string;
  /** Runs in the page after the HTML has loaded: changes, and their timing. */
  readonly script: string;
  readonly press: Press;
  readonly key: 'Enter' | 'Space';
  /** A modifier that is put down in an earlier call. */
  readonly held: string | undefined;
}

/** Each way to press that an agent has. Commoner ones stand several times. */
const PRESSES = [
  ...(['element', 'viewport point', 'viewport point', 'page point', 'point in element'] as const),
  ...(['double', 'double at point', 'triple', 'right', 'middle', 'hold', 'touch', 'with Shift'] as const),
  ...(['drag', 'element drag', 'drag along a path'] as const),
  ...(['key', 'key twice', 'chord', 'several keys', 'held key'] as const),
] as const;
export type Press = (typeof PRESSES)[number];

const FULL = 'position:absolute;inset:0;width:100%;height:100%';
const WIDTH = 400;
const HEIGHT = 260;
const CONTAINERS: readonly ((name: string, style: string, inside: string) => string)[] = [
  (name, style, inside) => `<section aria-label="${name}" ${style}>${inside}</section>`,
  (name, style, inside) => `<div role=group aria-label="${name}" ${style}>${inside}</div>`,
  (name, style, inside) => `<div tabindex=0 aria-label="${name}" ${style}>${inside}</div>`,
  (name, style, inside) => `<fieldset aria-label="${name}" ${style}>${inside}</fieldset>`,
  (name, style, inside) => `<label ${style}>${name}${inside}</label>`,
  (name, style, inside) => `<dialog open aria-label="${name}" ${style}>${inside}</dialog>`,
  (name, style, inside) => `<a href="#x" ${style}>${name}${inside}</a>`,
];

/** A unique name, so that a question shows which element was classified. */
export const heavyName = (at: number | string): string => `Pay now n${at}x`;
const blandName = (at: number): string => `Next n${at}x`;

export function pressCaseOf(random: SeededRandom): PressCase {
  let made = 0;
  const pick = <Item>(items: readonly [Item, ...Item[]]): Item =>
    items[Math.floor(random.next() * items.length)] ?? items[0];
  const chance = (share: number): boolean => random.next() < share;
  const within = (size: number): number => Math.floor(random.next() * size);
  const rect = (wide: number, high: number, full: boolean): string => {
    const [width, height] = full ? [wide, high] : [30 + within(wide - 30), 20 + within(high - 20)];
    const [left, top] = [within(Math.max(1, wide - width)), within(Math.max(1, high - height))];
    return `position:absolute;left:${left}px;top:${top}px;width:${width}px;height:${height}px;margin:0;padding:0;border:0;`;
  };
  const leaf = (style: string): string => {
    const at = ++made;
    const name = heavyName(at);
    const attributes = `data-t=${at} style="${style}"`;
    return pick([
      `<button type=button ${attributes}>${name}</button>`,
      `<button type=button ${attributes}><span>${name}</span></button>`,
      `<div ${attributes} data-listens>${name}</div>`,
      `<div role=button tabindex=0 ${attributes}><b>${name}</b></div>`,
      `<x-button ${attributes} data-name="${name}"></x-button>`,
      `<label ${attributes}><input type=checkbox>${name}</label>`,
      `<form ${attributes}><button style="${FULL}">${name}</button></form>`,
      `<iframe ${attributes} data-inner srcdoc="${frameSource(at)}"></iframe>`,
    ]);
  };
  const box = (depth: number, wide: number, high: number): string => {
    const parts = Array.from({ length: 1 + within(3) }, () => {
      const style = rect(wide, high, chance(0.3));
      if (depth === 0 || chance(0.6)) return leaf(style);
      const inside = box(depth - 1, Math.max(40, wide - 40), Math.max(40, high - 40));
      return (
        pick([CONTAINERS[0], CONTAINERS[1], CONTAINERS[2]])?.(
          blandName(++made),
          `style="${style}"`,
          inside,
        ) ?? ''
      );
    });
    return parts.join('');
  };
  const style = `id=target style="position:absolute;left:60px;top:40px;width:${120 + within(200)}px;height:${40 + within(120)}px;margin:0;padding:0;border:0;overflow:hidden" data-t=${++made}`;
  const name = chance(0.2) ? heavyName(made) : blandName(made);
  const container = CONTAINERS[within(CONTAINERS.length)];
  const control = pick([
    `<button type=button ${style}>${name}</button>`,
    `<button type=button draggable=true ${style}>${name}</button>`,
    `<label ${style}><input type=checkbox>${name}</label>`,
    `<form><button ${style}>${name}</button></form>`,
  ]);
  const target = chance(0.5) || container === undefined ? control : container(name, style, box(1, 200, 80));
  const cover = `<div id=cover style="position:absolute;left:0;top:0;width:${WIDTH}px;height:${HEIGHT}px;display:none">${leaf(rect(WIDTH, HEIGHT, true))}</div>`;
  const behind = chance(0.4) ? box(1, WIDTH, HEIGHT) : '';
  const trigger = pick([
    'nothing',
    'pointerover',
    'pointermove',
    'pointerdown',
    'mousedown',
    'touchstart',
    'dragstart',
    'pointerup',
    'mouseup',
    'focusin',
    'keydown',
    'keypress',
    'frame',
    'pointerover-frame',
    'pointerover-later',
  ]);
  const change = pick([
    'cover',
    'frame-0',
    'frame-1',
    'inside',
    'rename',
    'rename',
    'away',
    'focus',
    'remove',
    'new-frame',
  ]);
  return {
    html: `${behind}${target}${cover}`,
    script: JSON.stringify({ trigger, change, name: heavyName(++made), at: made, frame: frameSource(made) }),
    press: pick(PRESSES),
    key: pick(['Enter', 'Space']),
    held: chance(0.25) ? pick(['Shift', 'Control', 'Alt', 'Meta']) : undefined,
  };
}

/** Trusted events by which an element notices a press. */
const EVENTS = [
  ...['pointerdown', 'mousedown', 'touchstart', 'pointerup', 'mouseup', 'touchend', 'click', 'dblclick'],
  ...['auxclick', 'contextmenu', 'keydown', 'keypress', 'keyup'],
  ...['dragstart', 'drop', 'submit', 'input', 'change'],
];

/** A separate document that reports each trusted event to the top document. */
const frameSource = (at: number | string): string =>
  `<body style='margin:0'><button style='position:fixed;inset:0;width:100%;height:100%'>${heavyName(at)}</button><script>for (const type of ${JSON.stringify(EVENTS).replaceAll('"', "'")}) addEventListener(type, (event) => { if (event.isTrusted && ['Enter', ' ', undefined].includes(event.key)) top.postMessage({ type, name: '${heavyName(at)}' }, '*'); }, true);</script>`;

export const framePage = (at: string): string => `<!doctype html>${frameSource(at)}`;

/** A page that shows one case after another and reports what was pressed. */
export const pressPage = (
  frames: readonly string[],
): string => `<!doctype html><meta charset=utf-8><title>stage</title>
<body style="margin:0"><main></main>
${frames.map((url, at) => `<iframe id=frame-${at} src="${url}" style="position:absolute;left:0;top:0;width:${WIDTH}px;height:${HEIGHT}px;border:0;opacity:0.01;display:none"></iframe>`).join('')}
<script>
const TYPES = ${JSON.stringify(EVENTS)};
const main = document.querySelector('main');
let heard = [];
let begun = new WeakSet();
let stops = [];
const textOf = (element) => element.dataset.name ?? element.dataset.now ?? element.textContent;
const note = (event) => {
  // Other keys press nothing.
  if (!event.isTrusted || !['Enter', ' ', undefined].includes(event.key)) return;
  const element = event.composedPath().find((each) => each.dataset?.t !== undefined);
  if (element === undefined || element.id === 'target' && element.querySelector('[data-t]') !== null) return;
  const name = /Pay now n\\w+x/.exec(textOf(element))?.[0];
  if (name !== undefined) heard.push({ type: event.type, name, isBegun: begun.has(element) });
  begun.add(element);
};
for (const type of TYPES) addEventListener(type, note, true);
// A link that opens another tab would take the orders there.
for (const type of ['click', 'auxclick', 'submit']) addEventListener(type, (event) => event.preventDefault());
addEventListener('message', ({ data }) => { if (data?.name !== undefined) heard.push(data); });
customElements.define('x-button', class extends HTMLElement {
  connectedCallback() {
    if (this.shadowRoot === null) this.attachShadow({ mode: 'open' }).innerHTML =
      '<button style="position:absolute;inset:0;width:100%">' + this.dataset.name + '</button>';
  }
});
function rename(target, name) {
  if (target.hasAttribute('aria-label')) target.setAttribute('aria-label', name);
  const texts = document.createTreeWalker(target, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) texts.currentNode.data = name;
}
function change({ change, name, at, frame }) {
  const target = document.querySelector('#target');
  if (target === null) return;
  const heavy = '<button type=button data-t=' + at + ' style="position:absolute;inset:0;width:100%;height:100%">' + name + '</button>';
  if (change === 'cover') document.querySelector('#cover').style.display = 'block';
  else if (change === 'frame-0' || change === 'frame-1') document.querySelector('#' + change).style.display = 'block';
  else if (change === 'inside') target.innerHTML = heavy;
  else if (change === 'rename') rename(target, name);
  else if (change === 'away') { target.insertAdjacentHTML('beforebegin', heavy); target.style.left = '2000px'; }
  else if (change === 'remove') target.remove();
  else if (change === 'focus') { target.insertAdjacentHTML('afterend', heavy.replace('inset:0', 'top:300px')); target.nextSibling.focus(); }
  else if (change === 'new-frame') {
    const fresh = document.createElement('iframe');
    fresh.style.cssText = document.querySelector('#frame-0').style.cssText + 'display:block';
    fresh.srcdoc = frame;
    main.append(fresh);
  }
}
function show({ html, script }) {
  for (const stop of stops) stop();
  stops = [];
  heard = [];
  begun = new WeakSet();
  for (const frame of document.querySelectorAll('[id^=frame-]')) frame.style.display = 'none';
  document.activeElement?.blur();
  main.innerHTML = html;
  for (const each of main.querySelectorAll('[data-listens]')) each.addEventListener('click', () => {});
  const given = JSON.parse(script);
  const target = document.querySelector('#target');
  const once = () => { stops.push(() => {}); change(given); };
  const { trigger } = given;
  if (trigger === 'frame') {
    let left = 1 + given.at % 12;
    const step = () => { if (--left === 0) once(); else if (left > 0) requestAnimationFrame(step); };
    requestAnimationFrame(step);
    stops.push(() => { left = -1; });
  } else if (trigger !== 'nothing') {
    const [type, wait] = trigger.split('-');
    let isStopped = false;
    const run = () => {
      const later = () => { if (!isStopped) once(); };
      if (wait === 'frame') requestAnimationFrame(later);
      else if (wait === 'later') setTimeout(later, given.at % 40);
      else later();
    };
    target.addEventListener(type, run, { once: true });
    stops.push(() => { isStopped = true; });
  }
  const { left, top, width, height } = target.getBoundingClientRect();
  return { x: Math.round(left + width / 2), y: Math.round(top + height / 2) };
}
const drawn = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
new EventSource('/orders').onmessage = async ({ data }) => {
  await drawn();
  const before = heard;
  const place = show(JSON.parse(data));
  await fetch('/answers', { method: 'POST', body: JSON.stringify({ heard: before, ...place }) });
};
</script>`;
