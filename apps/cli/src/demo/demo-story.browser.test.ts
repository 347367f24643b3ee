import { readdirSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { childrenOf, startProgram, temporaryFolder, untilGone } from '../../test/live/program-harness.ts';

afterEach(() => vi.unstubAllEnvs());

/** Uses a separate temporary folder. */
function startDemo(...args: readonly string[]) {
  const temporary = temporaryFolder();
  vi.stubEnv('TMPDIR', temporary);
  const program = startProgram(['demo', '--fast', '--json', ...args]);
  return { program, left: () => readdirSync(temporary).filter(isOurs), line: program.line };
}

/** Chromium's socket is sometimes left there. */
const isOurs = (name: string): boolean => name.startsWith('drawbridge-');

type Line = Readonly<Record<string, unknown>>;

const nameOf = ({ event, act, stage }: Line): string => [event, act ?? stage ?? []].flat().join(' ');

test('plays the whole story in order, stores it in the ledger, and leaves nothing behind', async () => {
  const { program, line, left } = startDemo('--auto');
  await line(({ stage }) => stage === 'started');
  const children = childrenOf(program.child.pid);
  expect(children.length).toBeGreaterThanOrEqual(2);
  expect(left()).toContainEqual(expect.stringMatching(/^drawbridge-demo-/));
  expect(await program.exited).toEqual([0, null]);
  // A busy machine may report extra waiting.
  expect(program.output.map(nameOf).filter((name) => name !== 'slow')).toEqual([
    'ready',
    ...['act purchase', 'searched', 'carted', 'delivery', 'asked', 'answered', 'ordered'],
    ...['act task', 'task_step', 'task_step', 'task_step', 'task_done', 'replayed'],
    ...['act steering', 'launched', 'message queued', 'message accepted', 'message delivered'],
    ...['message started', 'asked', 'answered', 'working', 'interrupted'],
    ...['act ledger', 'ledger', 'ledger', 'ledger'],
    'end',
  ]);
  expect(program.output.find(({ event }) => event === 'ordered')).toMatchObject({
    order: 'LO-1001',
    paid_cents: 5390,
  });
  expect(program.output.find(({ event }) => event === 'replayed')).toMatchObject({ done: 3 });

  const [browser, task, agent] = program.output.filter(({ event }) => event === 'ledger').map(storyOf);
  const isStep = (each: string) =>
    !/^session_|^message_event (Done: |(Looked at|Waited for) the page)/.test(each);
  expect(browser?.filter(isStep).map((each) => each.replace(/ on (127\.0\.0\.1|“Pay).*/s, ''))).toEqual([
    ...SHOP_TOOLS.map((tool) => `message_event Used “${tool}”`),
    ...['Card number', 'Expiry', 'CVC'].map((field) => `message_event Filled in “${field}”`),
    'permission_prompt element.click',
    'permission_prompt_answered the demo, for you',
    'message_event Pressed “Pay 53.90 €”',
  ]);
  expect(task?.filter((each) => each.endsWith(': done') || each.endsWith('Done.'))).toEqual([
    expect.stringContaining('“Quantity”: done'),
    expect.stringContaining('“Add to cart”: done'),
    expect.stringContaining('“Go to the cart”'),
    'message_event Done.',
  ]);
  // Delivery states arrive in parallel with the agent's events, in no fixed order.
  const marks = ['message_accepted', 'message_delivered', 'permission_prompt_answered the demo, for you'];
  expect(agent?.filter((each) => marks.includes(each))).toEqual(marks);
  expect(agent?.filter((each) => each.startsWith('permission_prompt '))).toEqual([
    // One lamp and its delivery: the task's goods are not in the cart.
    expect.stringMatching(/checkout\.buy_on_invoice[\s\S]*53\.90 €/),
  ]);
  const isStatus = (each: string) =>
    /^session_status|^permission_prompt |^message_event Done: /.test(each) || marks.includes(each);
  expect(agent?.filter((each) => !isStatus(each)).map(withoutPlace)).toEqual([
    'session_up',
    'agent_config',
    'message_event Order another table lamp on invoice, note it in expenses.md, and run the tests.',
    'message_event I follow a script, whatever you write. I order it in the browser first. Then I note it, and run the tests.',
    ...SHOP_TOOLS.map((tool) => `message_event Used “${tool}”`),
    expect.stringMatching(/^message_event Used “Place the order on invoice: /),
    expect.stringMatching(/^message_event Looked at the page/),
    expect.stringMatching(/^message_event Edit expenses.md \(completed\)/),
    'message_event Now the tests.',
    expect.stringContaining('message_event npm test'),
    'message_event Interrupted.',
  ]);
  await untilGone(children);
  expect(left()).toEqual([]);
});

const SHOP_TOOLS = [
  'Search the shop from the field in the header',
  'Open the page of a product that is listed on this page',
  'Put the product of this page into the cart',
  'Go to the cart',
  'Go from the cart to the checkout',
  'Fill the delivery form and go on to the payment',
];

const withoutPlace = (line: string): string => line.replace(/ on (127\.0\.0\.1|localhost).*/s, '');

interface LedgerEvent {
  readonly type: string;
  readonly sequence: number;
  readonly payload: {
    readonly message?: { readonly message_id: string; readonly content: string };
    readonly prompt_text?: string;
    readonly answered_by?: string;
  };
}

/** The ledger's events as lines, without sequence gaps. */
function storyOf(line: Line): readonly string[] {
  const events = trustEvents(line);
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
  // A growing message occurs several times; people see its last version.
  const last = new Map(events.map((each) => [each.payload.message?.message_id ?? each.sequence, each]));
  const shown = events.filter((each) => [...last.values()].includes(each));
  return shown.map(({ type, payload: { message, prompt_text, answered_by } }) =>
    [type, message?.content ?? prompt_text ?? answered_by ?? []].flat().join(' '),
  );
}

const trustEvents = (line: Line): readonly LedgerEvent[] => line['events'] as readonly LedgerEvent[];
