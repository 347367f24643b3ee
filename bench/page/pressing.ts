import type { Tab } from './chromium.ts';
import { stayOnPage } from './click-delta.ts';
import type { InPageCode } from './in-page-subjects.ts';

/** Outcomes of presses on elements that a listing announces. */
export interface Pressed {
  readonly of: number;
  readonly reacted: number;
  /** Opening tags of those that did nothing. */
  readonly silent: readonly string[];
}

const MOST = 40;
const WAIT = 'new Promise((done) => setTimeout(done, 200))';

/**
 * Presses each listed element in a fresh document. A reaction is a navigation, anything that opens, the focus of
 * a field, or any change in the page.
 */
export async function pressListed(tab: Tab, url: string, code: InPageCode, listed: string): Promise<Pressed> {
  const open = async () => {
    await tab.goto(url);
    await code.start(tab);
    return tab.evaluate<number>(`${listed}.length`);
  };
  const count = await open();
  const silent: string[] = [];
  const all = Array.from({ length: Math.min(count, MOST) }, (_, n) =>
    Math.floor((n * count) / Math.min(count, MOST)),
  );
  for (const index of all) {
    await open();
    const stay = await stayOnPage(tab);
    const { x, y, tag } = await tab.evaluate<{ x: number; y: number; tag: string }>(
      `(${START})(${listed}[${index}])`,
    );
    const mouse = { x, y, button: 'left', clickCount: 1 } as const;
    for (const type of ['mouseMoved', 'mousePressed', 'mouseReleased'] as const)
      await tab.session.send('Input.dispatchMouseEvent', { ...mouse, type });
    const reacted = await tab.evaluate<boolean>(`${WAIT}.then(() => globalThis.benchReacted())`);
    if (!reacted && stay.left() === 0) silent.push(tag);
    await stay.end();
  }
  return { of: all.length, reacted: all.length - silent.length, silent };
}

const START = `(element) => {
  const reactions = [];
  const note = (what) => { reactions.push(what); };
  const roots = (root) => [root, ...[...root.querySelectorAll('*')].flatMap((each) => each.shadowRoot ? roots(each.shadowRoot) : [])];
  const observer = new MutationObserver((records) => {
    if (records.some(({ attributeName }) => attributeName === null || !attributeName.startsWith('data-'))) note('change');
  });
  for (const type of ['input', 'change', 'toggle', 'submit', 'hashchange', 'popstate', 'play', 'scroll'])
    addEventListener(type, () => note(type), true);
  addEventListener('focusin', (event) => {
    if (event.composedPath()[0]?.matches?.('input, select, textarea, [contenteditable]')) note('focus');
  }, true);
  for (const name of ['open', 'alert', 'confirm', 'prompt']) globalThis[name] = () => { note(name); return null; };
  const drawings = () => [...document.querySelectorAll('canvas')].map((each) => each.toDataURL()).join();
  element.scrollIntoView({ block: 'nearest' });
  const drawn = drawings();
  const [{ left, top, width, height } = element.getBoundingClientRect()] = element.getClientRects();
  const pictured = [document.title, location.href].join();
  globalThis.benchReacted = () =>
    reactions.length > 0 || drawings() !== drawn || [document.title, location.href].join() !== pictured;
  // Ids are stamped, and the scrolling above is reported, before the press.
  return new Promise((done) => setTimeout(done, 50)).then(() => {
    reactions.length = 0;
    for (const root of roots(document))
      observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
    return { x: left + width / 2, y: top + height / 2, tag: element.cloneNode(false).outerHTML.slice(0, 120) };
  });
}`;
