import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { createSeededRandom, listenOnLoopback } from '@drawbridge/testbed';
import { expect, test } from 'vitest';
import { answeringPerson, type BrowserHarness, startBrowserHarness } from '../browser-harness.ts';
import { framePage, type PressCase, pressCaseOf, pressPage } from './press-pages.ts';

const RUNS = Number(process.env['DRAWBRIDGE_PRESS_PAGES'] ?? 300);
/** Pages of one test: a failure or a timeout in one leaves the others running. */
const SHARD = 100;
/** Half an hour: a page takes a quarter of a second, and at a load of 30 on two cores twenty times that. */
const SHARD_TIMEOUT_MS = 1_800_000;
const SEED = Number(process.env['DRAWBRIDGE_PRESS_SEED'] ?? 1);

interface Heard {
  readonly type: string;
  /** Name of the element at that event. */
  readonly name: string;
  /** The element had received an earlier event of the press. */
  readonly isBegun?: boolean;
}
interface Shown {
  /** Elements that got trusted events in the previous case. */
  readonly heard: readonly Heard[];
  readonly x: number;
  readonly y: number;
}

/** A separate browser that shows one page after another. */
interface Stage extends AsyncDisposable {
  readonly person: ReturnType<typeof answeringPerson>;
  readonly harness: BrowserHarness;
  readonly show: (pressCase: Pick<PressCase, 'html' | 'script'>) => Promise<Shown>;
}

async function startStage(): Promise<Stage> {
  const person = answeringPerson(() => 'once');
  const listening = Promise.withResolvers<void>();
  let orders: ServerResponse | undefined;
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
      listening.resolve();
    } else if (request.url === '/answers') {
      const shown = trustShown(await text(request));
      response.end('{}');
      answer(shown);
    } else response.writeHead(200, { 'content-type': 'text/html' }).end(pressPage(frames));
  });
  const [port, otherPort] = await Promise.all([listenOnLoopback(pageServer), listenOnLoopback(other)]);
  frames = [`http://127.0.0.1:${otherPort}/same`, `http://localhost:${otherPort}/other`];
  const harness = await startBrowserHarness({ asker: person });
  await harness.goto(`http://127.0.0.1:${port}/`);
  await listening.promise;
  return {
    person,
    harness,
    show: (pressCase) =>
      new Promise((resolve) => {
        answer = resolve;
        orders?.write(`data: ${JSON.stringify({ html: pressCase.html, script: pressCase.script })}\n\n`);
      }),
    async [Symbol.asyncDispose]() {
      orders?.end();
      await harness[Symbol.asyncDispose]();
      for (const server of [pageServer, other]) server.close();
    },
  };
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
    case 'double at point':
      return ['pointer.double_click', { x, y }];
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
    case 'key twice':
      return ['keyboard.press', { key, repeat: 2 }];
    case 'several keys':
      return ['element.keys', { id, keys: [key, 'Tab'] }];
    case 'chord':
      return ['element.keys', { id, keys: key }];
    case 'held key':
      return ['element.keys', { id, keys: key, hold_ms: 60 }];
    case 'element':
      return ['element.click', { id }];
  }
}

async function press(pressCase: PressCase, shown: Shown, harness: BrowserHarness): Promise<void> {
  const { id } = (await harness.call('locator.element_info', { locator: { selector: '#target' } })) as {
    id: string;
  };
  if (pressCase.press.startsWith('key')) await harness.call('element.focus', { id });
  const { held } = pressCase;
  const run = () => harness.call(...callOf(pressCase, shown, id));
  if (held === undefined) await run();
  else await holding(held, run, harness);
}

async function holding(keys: string, work: () => Promise<unknown>, { call }: BrowserHarness): Promise<void> {
  const release = () => call('element.keys', { keys, phase: 'up' });
  await call('element.keys', { keys, phase: 'down' });
  try {
    await work();
  } finally {
    // The page's one change may come between the check and the release, which is then refused.
    await release().catch(release);
  }
}

const NOTHING = { html: '<p id=target></p>', script: '{"trigger":"nothing"}' };

const shards = Array.from({ length: Math.ceil(RUNS / SHARD) }, (_, index) => {
  const first = SEED + index * SHARD;
  return { first, last: Math.min(first + SHARD, SEED + RUNS) - 1 };
});

// A press mostly waits for frames: several browsers at once take little longer than one.
test.concurrent.each(shards)(
  '[finding 4] [finding 5] [finding 9] a trusted press reaches the classified element or nothing: pages $first to $last',
  async ({ first, last }) => {
    await using stage = await startStage();
    const { person, harness, show } = stage;
    let pressed = 0;
    let asked = 0;
    const failed: string[] = [];
    let shown = await show(pressCaseOf(createSeededRandom(first)));
    for (let seed = first; seed <= last; seed++) {
      const pressCase = pressCaseOf(createSeededRandom(seed));
      person.asked.length = 0;
      // A refusal is fine too: only the events in the page count.
      await press(pressCase, shown, harness).catch(() => undefined);
      const questions = JSON.stringify(person.asked);
      // Each page is shown with what the one before it received.
      shown = await show(seed < last ? pressCaseOf(createSeededRandom(seed + 1)) : NOTHING);
      const { heard } = shown;
      const unasked = heard.filter(
        (event) =>
          !questions.includes(event.name) &&
          !endsDragBesideControls(pressCase, event) &&
          !continuesBegun(pressCase, event),
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
const endsDragBesideControls = ({ press, html }: PressCase, { type, name }: Heard): boolean =>
  press.includes('drag') && /^(?:pointer|mouse)up$/.test(type) && html.includes(`data-listens>${name}</div>`);

/**
 * Events that pass to an element under whatever name the page has given it since the press began, because a
 * page that saw a press begin must see it end: see SECURITY.md.
 */
function continuesBegun({ press }: PressCase, { type, isBegun = false }: Heard): boolean {
  if (!isBegun) return false;
  if (press.includes('drag')) return /^(?:mousedown|pointerup|mouseup|dragstart|drop)$/.test(type);
  if (press === 'hold') return /^(?:mousedown|pointerup|mouseup)$/.test(type);
  return type === 'keyup';
}

function trustShown(body: string): Shown {
  return JSON.parse(body) as Shown;
}
