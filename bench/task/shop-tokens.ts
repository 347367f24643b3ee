import { attachBrowser } from '@drawbridge/runtime/cdp';
import { tokensOf } from '@drawbridge/testbed/tokens';
import { type Asked, type LineModel, startLineModel } from '../../e2e/brain-model.ts';
import { runShopTask, SHOP_TASKS, type ShopTask } from '../../e2e/brain-tasks.ts';
import { type Person, startTaskHarness, type TaskHarness } from '../../e2e/task-harness.ts';
import type { McpSession } from '../act/mcp-session.ts';
import { startPlaywright } from '../act/peer-drivers.ts';
import type { BenchChromium } from '../page/chromium.ts';

/** Tokens that a model reads and writes in one task. Pictures are not counted: only their provider can. */
export interface TaskTokens {
  readonly name: string;
  /** Number of model requests. */
  readonly asks: number;
  readonly read: number;
  readonly written: number;
  /** Part of `read`: the page, without the instructions, the task and the history. */
  readonly pages: number;
  readonly ms: number;
  /** The same with the peer's snapshot in place of our page. Undefined without the peer. */
  readonly peer: { readonly asks: number; readonly read: number; readonly pages: number } | undefined;
}

/** As in the tests: every form is fully in view. */
const SCREEN = { width: 1280, height: 960, deviceScaleFactor: 1, mobile: false };

interface Ask {
  readonly asked: Asked;
  readonly snapshot: string | undefined;
}

/** The fifteen tasks of the end-to-end tests, over the relay's HTTP API, in the benchmark's Chromium. */
export async function measureShopTasks(chromium: BenchChromium, withPeer: boolean): Promise<TaskTokens[]> {
  await using closing = new AsyncDisposableStack();
  let peer: McpSession | undefined;
  const snapshots: (string | undefined)[] = [];
  const model = await startLineModel({
    beforeAnswer: async () => snapshots.push(await peer?.call('browser_snapshot', {})),
  });
  closing.defer(() => model.provider.close());
  const tab = await chromium.openTab();
  await chromium.closeOthers(tab);
  await tab.session.send('Emulation.setDeviceMetricsOverride', SCREEN);
  const stand = await startTaskHarness({
    env: { DRAWBRIDGE_MODEL: 'compatible/scripted', DRAWBRIDGE_MODEL_URL: model.provider.baseUrl },
    async open(script) {
      const browser = await attachBrowser({ endpoint: `http://127.0.0.1:${chromium.port}`, script });
      await browser.lend(tab.targetId);
      return browser;
    },
  });
  closing.use(stand);
  const person = await stand.person(() => 'once');
  closing.defer(person.close);
  if (withPeer) {
    const session = await startPlaywright(chromium.port);
    closing.defer(session.close);
    peer = session;
  }
  const all: TaskTokens[] = [];
  for (const task of SHOP_TASKS) {
    snapshots.length = 0;
    const started = performance.now();
    const asked = await runOne(stand, task, person, model);
    const ms = performance.now() - started;
    all.push(
      tokensIn(
        task.name,
        asked.map((each, index) => ({ asked: each, snapshot: snapshots[index] })),
        ms,
      ),
    );
  }
  return all;
}

async function runOne(stand: TaskHarness, task: ShopTask, person: Person, model: LineModel) {
  model.answerWith(task.lines(stand));
  const { task: end } = await runShopTask(stand, task, person);
  if (end.state !== (task.ends ?? 'completed')) throw new Error(`${task.name}: ${end.state}, ${end.message}`);
  return model.asked();
}

const PAGE = /PAGE now\n<page .*?\n<\/page>/gs;
const TOOLS = /TOOLS of this page\n<page .*?\n<\/page>/gs;

function tokensIn(name: string, asks: readonly Ask[], ms: number): TaskTokens {
  const sum = (count: (ask: Ask) => number) => asks.reduce((all, ask) => all + count(ask), 0);
  const read = sum(({ asked }) => tokensOf(asked.system) + tokensOf(asked.observation.text));
  const pages = sum(({ asked }) => tokensOf([...asked.observation.text.matchAll(PAGE)].join('\n')));
  const written = sum(({ asked }) => tokensOf(asked.answer));
  return { name, asks: asks.length, read, written, pages, ms, peer: peerIn(asks) };
}

/** The peer has no site tools, and needs no separate requests for text: its snapshots contain it. */
function peerIn(asks: readonly Ask[]): TaskTokens['peer'] {
  const told = asks.filter(({ asked }) => !asked.answer.includes('"action":"need_full_dom"'));
  let [read, pages] = [0, 0];
  for (const { asked, snapshot } of told) {
    if (snapshot === undefined) return undefined;
    const frame = asked.observation.text.replaceAll(PAGE, '').replaceAll(TOOLS, '');
    pages += tokensOf(snapshot);
    read += tokensOf(asked.system) + tokensOf(frame) + tokensOf(snapshot);
  }
  return { asks: told.length, read, pages };
}
