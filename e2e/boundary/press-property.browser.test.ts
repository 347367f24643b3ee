import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { createSeededRandom, listenOnLoopback } from '@drawbridge/testbed';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answeringPerson, type BrowserHarness, startBrowserHarness } from '../browser-harness.ts';
import { framePage, type PressCase, pressCaseOf, pressPage } from './press-pages.ts';

const RUNS = Number(process.env['DRAWBRIDGE_PRESS_PAGES'] ?? 300);
/** Pages of one test: a failure or a timeout in one leaves the others running. */
const SHARD = 100;
/** Half an hour: a page takes a quarter of a second, and at a load of 30 on two cores twenty times that. */
const SHARD_TIMEOUT_MS = 1_800_000;
const SEED = Number(process.env['DRAWBRIDGE_PRESS_SEED'] ?? 1);

interface Shown {
  /** Elements that got trusted events in the previous case. */
  readonly heard: readonly { readonly type: string; readonly name: string }[];
  readonly x: number;
  readonly y: number;
}

const person = answeringPerson(() => 'once');
let harness: BrowserHarness;
let orders: ServerResponse | undefined;
let listens = () => {};
const listening = new Promise<void>((resolve) => {
  listens = resolve;
});
let answer: (shown: Shown) => void = () => {};
let frames: readonly string[] = [];

const other = createServer((request, response) => {
  const name = (request.url ?? '/').slice(1);
  response.writeHead(200, { 'content-type': 'text/html' }).end(framePage(name));
});
const pageServer = createServer(async (request, response) => {
  if (request.url === '/orders') {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    orders = response;
    listens();
  } else if (request.url === '/answers') {
    const shown = parseShown(await text(request));
    response.end('{}');
    answer(shown);
  } else response.writeHead(200, { 'content-type': 'text/html' }).end(pressPage(frames));
});

beforeAll(async () => {
  const [port, otherPort] = await Promise.all([listenOnLoopback(pageServer), listenOnLoopback(other)]);
  frames = [`http://127.0.0.1:${otherPort}/same`, `http://localhost:${otherPort}/other`];
  harness = await startBrowserHarness({ asker: person });
  await harness.goto(`http://127.0.0.1:${port}/`);
  await listening;
});
afterAll(async () => {
  orders?.end();
  await harness?.[Symbol.asyncDispose]();
  for (const server of [pageServer, other]) server.close();
});

function show(pressCase: Pick<PressCase, 'html' | 'script'>): Promise<Shown> {
  const shown = new Promise<Shown>((resolve) => {
    answer = resolve;
  });
  orders?.write(`data: ${JSON.stringify(pressCase)}\n\n`);
  return shown;
}

/** Arguments of the primitive that presses the target, whose centre is at a point of the viewport. */
function callOf({ press, key }: PressCase, { x, y }: Shown, id: string): [string, object] {
  const at = [x, y];
  switch (press) {
    case 'viewport point':
      return ['pointer.click', { x, y }];
    case 'page point':
      return ['element.click', { at }];
    case 'point in element':
      return ['element.click', { id, at: [12, 12] }];
    case 'double':
      return ['element.double_click', { id }];
    case 'triple':
      return ['element.click', { id, count: 3 }];
    case 'right':
    case 'middle':
      return ['element.click', { id, button: press }];
    case 'hold':
      return ['element.click', { id, hold_ms: 60 }];
    case 'touch':
      return ['element.click', { id, touch: true }];
    case 'with Shift':
      return ['element.click', { id, modifiers: ['Shift'] }];
    case 'drag':
      return ['pointer.drag', { from: { x, y }, to: { x: x + 3, y } }];
    case 'element drag':
      return ['element.drag', { id, by: [3, 0] }];
    case 'drag along a path':
      return [
        'element.drag',
        {
          at,
          path: [
            [x + 3, y],
            [x, y + 3],
          ],
        },
      ];
    case 'key':
      return ['keyboard.press', { key }];
    case 'chord':
      return ['element.keys', { id, keys: key }];
    case 'held key':
      return ['element.keys', { id, keys: key, hold_ms: 60 }];
    case 'element':
      return ['element.click', { id }];
  }
}

async function press(pressCase: PressCase, shown: Shown): Promise<void> {
  const { id } = (await harness.call('locator.element_info', { locator: { selector: '#target' } })) as {
    id: string;
  };
  if (pressCase.press === 'key') await harness.call('element.focus', { id });
  await harness.call(...callOf(pressCase, shown, id));
}

const NOTHING = { html: '<p id=target></p>', script: '{"trigger":"nothing"}' };

const shards = Array.from({ length: Math.ceil(RUNS / SHARD) }, (_, index) => {
  const first = SEED + index * SHARD;
  return { first, last: Math.min(first + SHARD, SEED + RUNS) - 1 };
});

test.each(shards)(
  '[finding 4] [finding 5] [finding 9] a trusted press reaches the classified element or nothing: pages $first to $last',
  async ({ first, last }) => {
    let pressed = 0;
    let asked = 0;
    const failed: string[] = [];
    for (let seed = first; seed <= last; seed++) {
      const pressCase = pressCaseOf(createSeededRandom(seed));
      const shown = await show(pressCase);
      person.asked.length = 0;
      // A refusal is fine too: only the events in the page count.
      await press(pressCase, shown).catch(() => undefined);
      const questions = JSON.stringify(person.asked);
      const { heard } = await show(NOTHING);
      const unasked = heard.filter(
        (event) => !questions.includes(event.name) && !endsDragBesideControls(pressCase, event),
      );
      if (unasked.length > 0)
        failed.push(`seed ${seed}: ${JSON.stringify({ unasked, ...pressCase, questions })}`);
      pressed += heard.length > 0 ? 1 : 0;
      asked += person.asked.length;
    }
    expect(failed).toEqual([]);
    // Some pages press something heavy with a yes; otherwise the test shows nothing.
    const fewest = Math.floor((last - first + 1) / 50);
    expect(pressed).toBeGreaterThan(fewest);
    expect(asked).toBeGreaterThan(fewest);
  },
  SHARD_TIMEOUT_MS,
);

/** A drag may end over its preview, so its release passes to elements that are no controls: see SECURITY.md. */
const endsDragBesideControls = (
  { press, html }: PressCase,
  { type, name }: Shown['heard'][number],
): boolean =>
  press.includes('drag') && /^(?:pointer|mouse)up$/.test(type) && html.includes(`data-listens>${name}</div>`);

function parseShown(body: string): Shown {
  return JSON.parse(body) as Shown;
}
