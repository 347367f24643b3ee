/** Functions that run in our isolated world of a page, with the options that the host set for `inject.ts`. */

/** Options that the host sets for `inject.ts`. */
export const SCAN_OPTIONS = `listeners: new WeakSet(), kinds: new WeakMap(), shadowRoots: new WeakMap(), noted: new Map(), hinted: new Set()`;

const OPTIONS = `globalThis[Symbol.for('drawbridge.options')]`;

/**
 * `kindsOf` says what each node listens for: `press`, `drag`, `drop`, `hover`, `draw`.
 * `noted` maps node ids to elements, so that one without listeners is removed. A listener inside a closed
 * shadow root reveals the root.
 */
export const RECORD_LISTENERS = `(ids, gone, kindsOf, ...nodes) => {
  const { listeners, kinds, shadowRoots, noted } = ${OPTIONS};
  for (const id of gone) {
    const element = noted.get(id)?.deref();
    if (element !== undefined) {
      listeners.delete(element);
      kinds.delete(element);
    }
    noted.delete(id);
  }
  nodes.forEach((node, at) => {
    const root = node.getRootNode();
    if (root.mode === 'closed' && root.host) shadowRoots.set(root.host, root);
    if (node.nodeType !== 1 || node === node.ownerDocument.documentElement || node.localName === 'body') return;
    const words = (kindsOf[ids[at]] ?? 'press').split(' ');
    if (words.includes('press')) listeners.add(node);
    const others = words.filter((word) => word !== 'press').join(' ');
    if (others !== '') kinds.set(node, others);
    noted.set(ids[at], new WeakRef(node));
  });
}`;

export const RECORD_ROOTS = `(ids, ...roots) => {
  const { shadowRoots } = ${OPTIONS};
  for (const root of roots) shadowRoots.set(root.host, root);
}`;

/**
 * Elements that may have a closed shadow root: custom elements, and empty ones that take up space
 * (https://dom.spec.whatwg.org/#dom-element-attachshadow). Each is asked about a few times, as a root may
 * come later.
 */
export const CLOSED_HOSTS = `() => {
  const { shadowRoots } = ${OPTIONS};
  const asked = (globalThis[Symbol.for('drawbridge.asked')] ??= new WeakMap());
  const EMPTY = ':is(article,aside,blockquote,div,footer,h1,h2,h3,h4,h5,h6,header,main,nav,p,section,span):empty';
  const found = [];
  const roots = [document];
  const take = (element) => {
    const times = asked.get(element) ?? 0;
    if (times >= 3 || found.length >= 40) return;
    asked.set(element, times + 1);
    found.push(element);
  };
  for (let at = 0; at < roots.length && at < 500; at++) {
    for (const element of roots[at].querySelectorAll('*')) {
      const inner = element.shadowRoot ?? shadowRoots.get(element);
      if (inner) roots.push(inner);
      else if (element.localName.includes('-')) take(element);
      else if (element.localName === 'iframe' && element.contentDocument) roots.push(element.contentDocument);
    }
    for (const element of roots[at].querySelectorAll(EMPTY))
      if (!shadowRoots.has(element) && !element.shadowRoot && element.offsetWidth > 0 && element.offsetHeight > 0) take(element);
  }
  return found.length === 0 ? null : found;
}`;

/**
 * Indexes of elements that a framework treats as pressable. Frameworks store that in page-world properties
 * and listen elsewhere. Runs on the page's own document; null when there are none.
 */
export const FRAMEWORK_PROPERTIES = `function () {
  const PRESS = /^on(?:(?:Dbl|Double)?Click|(?:Mouse|Pointer)(?:Down|Up)|Touch(?:Start|End)|Press)(?:Capture)?$/;
  const presses = (props) => Object.keys(props ?? {}).some((name) => PRESS.test(name) && props[name]);
  const clicks = (element, key) => element[key]?.events?.click ?? [];
  // React and Vue 3; Svelte 5, Solid and Angular; Vue 2; Preact; jQuery.
  const says = (element, key) =>
    /^(?:__reactProps\\$|__reactEventHandlers\\$|_vei$)/.test(key) ? presses(element[key])
    : /^(?:__click|\\$\\$click|__zone_symbol__click(?:true|false))$/.test(key) ? true
    : key === '__vue__' ? element._vnode?.data?.on?.click !== undefined
    : key === 'l' || key === '_listeners' ? Object.keys(element[key] ?? {}).some((name) => /^click/i.test(name))
    : key.startsWith('jQuery') && [...clicks(element, key)].some(({ selector }) => !selector);
  const all = this.querySelectorAll('*');
  const said = new Set();
  for (const element of all) {
    for (const key of Object.keys(element)) {
      if (says(element, key)) said.add(element);
      if (!key.startsWith('jQuery')) continue;
      for (const { selector } of clicks(element, key))
        if (selector) for (const inner of element.querySelectorAll(selector)) said.add(inner);
    }
  }
  if (said.size === 0) return null;
  const places = [];
  all.forEach((element, at) => { if (places.length < 5000 && said.has(element)) places.push(at); });
  return { of: all.length, places };
}`;

/** Runs in our world. A document that has changed since is scanned again next time. */
export const RECORD_FRAMEWORK_PROPERTIES = `({ of, places }) => {
  const { listeners, noted, hinted } = ${OPTIONS};
  const all = document.querySelectorAll('*');
  if (places.length > 0 && all.length !== of) return;
  const now = new Set(places.map((at) => all[at]));
  const heard = new Set([...noted.values()].map((reference) => reference.deref()));
  for (const element of hinted) if (!now.has(element) && !heard.has(element)) listeners.delete(element);
  hinted.clear();
  for (const element of now) {
    hinted.add(element);
    listeners.add(element);
  }
}`;
