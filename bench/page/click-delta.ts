import { tokensOf } from '@drawbridge/testbed/tokens';
import type { Tab } from './chromium.ts';
import type { Pressable } from './oracle.ts';
import { OUR_PAGE } from './page-code.ts';

const CLICKS = 5;
/** The effects of a click are over when the page is quiet. */
const SETTLED = `new Promise((done) => setTimeout(done, 100)).then(() => ${OUR_PAGE}.untilStable())`;

export interface ToldDelta {
  readonly tokens: number;
  readonly changed: boolean;
}

/** Deltas of our code after a click on each of a few pressable elements, links last. */
export async function deltasAfterClicks(tab: Tab, all: readonly Pressable[]): Promise<ToldDelta[]> {
  const stay = await stayOnPage(tab);
  const told: ToldDelta[] = [];
  for (const { x, y } of [...spread(all.filter(isNoLink), CLICKS), ...spread(all, CLICKS)].slice(0, CLICKS)) {
    const since = await tab.evaluate<string>(`${OUR_PAGE}.snapshot({ form: 'lines' }).snapshot_id`);
    await press(tab, x, y);
    await tab.evaluate(SETTLED);
    const text = await tab.evaluate<string>(`(${TELL})(${OUR_PAGE}.delta('${since}', { form: 'lines' }))`);
    told.push({ tokens: tokensOf(text), changed: text !== UNCHANGED });
  }
  await stay.end();
  return told;
}

/** A link only navigates away. */
function isNoLink({ tag }: Pressable): boolean {
  return !tag.startsWith('<a ');
}

const UNCHANGED = 'unchanged';

/** Text that a host would pass on: the changed lines, or that nothing changed. */
const TELL = `(delta) => delta.unchanged ? '${UNCHANGED}' : (delta.text ?? delta.full.text)`;

async function press({ session }: Tab, x: number, y: number): Promise<void> {
  const mouse = { x, y, button: 'left', clickCount: 1 } as const;
  await session.send('Input.dispatchMouseEvent', { ...mouse, type: 'mouseMoved' });
  await session.send('Input.dispatchMouseEvent', { ...mouse, type: 'mousePressed' });
  await session.send('Input.dispatchMouseEvent', { ...mouse, type: 'mouseReleased' });
}

/** Answers a link's navigation with 204, which keeps the page, and counts them. */
export async function stayOnPage({ session }: Tab): Promise<{ left(): number; end(): Promise<void> }> {
  let count = 0;
  const off = session.on('Fetch.requestPaused', ({ requestId }) => {
    count++;
    session.send('Fetch.fulfillRequest', { requestId, responseCode: 204 }).catch(() => {});
  });
  await session.send('Fetch.enable', { patterns: [{ resourceType: 'Document' }] });
  return {
    left: () => count,
    async end() {
      off();
      await session.send('Fetch.disable');
    },
  };
}

function spread<Item>(items: readonly Item[], count: number): Item[] {
  const step = Math.max(1, items.length / count);
  return Array.from(
    { length: Math.min(count, items.length) },
    (_, index) => items[Math.floor(index * step)],
  ).flatMap((item) => item ?? []);
}
