import { startShop } from '@drawbridge/testbed';
import { shopMapFile } from 'drawbridge/test/live/program-harness';
import { expect, onTestFinished, test, vi } from 'vitest';
import { removeEvent, writeLogs } from './story-auditor.ts';
import { startCoder, startExtension, startShopper } from './story-cast.ts';
import { LONG_POLL, letIn } from './story-devices.ts';
import { asked, chaptersIn, checkLedger, readLedger, textsIn } from './story-ledger.ts';
import { startStoryRelay } from './story-relay.ts';
import { startTaskAgent } from './story-tasks.ts';

vi.setConfig({ testTimeout: 600_000 });

const ADDRESS = {
  ...{ email: 'buyer@example.com', name: 'Demo Buyer', street: 'Harbour Street 1' },
  ...{ postcode: '10115', city: 'Berlin', country: 'Germany' },
};
const CARD = { 'inp Card number': '4242 4242 4242 4242', 'inp Expiry': '08/30', 'inp CVC': '123' };
const PAY = 'btn Pay';
const TASK = 'Look up the next train';
const ACCEPTED = 'The extension has accepted the task.';
const DECISIONS = ['Phone answered: Deny', 'Expired without an answer.', 'Phone answered: Allow once'];

const CHAPTERS = [
  /^permission_prompt element\.click on “Pay/,
  /^permission_prompt_answered Phone deny$/,
  /^message_event say I begin\./,
  /^message_event I begin\.$/,
  /^message_event Look up the next train$/,
  /^message_event Opened the timetable\.$/,
  /^permission_prompt element\.click on “Pay/,
  /^session_down$/,
  /^message_event Nobody can tell how it ended/,
  /^message_event say From the tunnel\.$/,
  /^message_event Nobody hears this at once\./,
  /^message_event (?!say ).*All of it is done\.$/,
  /^message_event Look up the next train$/,
  /^message_event It leaves at noon\.$/,
  /^permission_prompt element\.click on “Pay/,
  /^permission_prompt_answered Phone once$/,
];

test('[CHT-130] [CHT-135] [CHT-160] [CHT-267] [TSK-58] [BRG-171] clients of every kind at one relay that is killed midway: the ledger has the whole story in order, and nothing is lost or duplicated', async () => {
  const shop = await startShop();
  onTestFinished(() => shop.close());
  const relay = await startStoryRelay(shopMapFile(shop.url));
  const [desk, phone, chrome, shopper, coder, taskAgent] = await Promise.all([
    letIn(relay, 'desk', 'Desk'),
    letIn(relay, 'phone', 'Phone'),
    startExtension(relay),
    startShopper(relay),
    startCoder(relay),
    startTaskAgent(relay),
  ]);
  const both = [desk, phone];

  // An agent fills the cart in a tab of a person's Chrome and wants to pay. The phone denies it.
  await chrome.lend(shop.url, shop.payUrl);
  await shopper.hasMap('search.open');
  await shopper.site('search.open', { query: 'lamp' });
  await shopper.site('product.open', { product: 'dusk-table-lamp' });
  await shopper.site('cart.add', { quantity: 1 });
  await shopper.site('cart.open');
  await shopper.site('checkout.open');
  await shopper.site('checkout.deliver', ADDRESS);
  await shopper.fill(CARD);
  const refused = shopper.press(PAY);
  for (const device of both) await device.openPrompt('Pay ');
  await phone.answer('Deny');
  await desk.decision.waitFor({ state: 'detached' });
  expect(await refused).toMatchObject({ isError: true, text: expect.stringContaining('permission_denied') });

  // A coding agent is launched and prompted on the desktop; the phone sees its progress.
  const conversation = await desk.launch('scripted');
  await phone.go(`/s/${conversation}`);
  const [first, second] = [coder.until('killed'), coder.until('back')];
  await desk.write(
    `say I begin.; ${first}; say Nobody hears this at once.; ${second}; say All of it is done.`,
  );
  await phone.ticks('started').waitFor();
  await phone.talk.getByText('I begin.', { exact: true }).waitFor();

  // A client of the task protocol works, and the agent in the tab asks once more.
  const order = { prompt: TASK, runtime: taskAgent.device_id };
  const { task_id, session_id: tasks } = await desk.startTask(order);
  const task = await taskAgent.task(1);
  taskAgent.report(task, 'act.ok', 'Opened the timetable.');
  await desk.go(`/s/${tasks}`);
  await desk.talk.getByText('Opened the timetable.').waitFor();
  const cutOff = shopper.press(PAY).then(
    () => false,
    () => true,
  );
  await desk.openPrompt('Pay ');
  await desk.go(`/s/${conversation}`);

  // The phone goes offline with a message to send; the desktop sends one too, and then the relay is killed.
  await phone.page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await phone.sendMessage('say From the platform.');
  await phone.enterTunnel();
  await phone.write('say From the tunnel.');
  await phone.page.getByText('to be sent when it is back').waitFor();
  coder.letOn('killed');
  await desk.sendMessage('say Into the crash.', relay.kill);
  expect(await cutOff).toBe(true);
  await desk.offline.waitFor();
  await desk.write('say To nobody yet.');
  await phone.leaveTunnel();

  // The relay restarts. Every client reconnects, and the messages arrive.
  await relay.begin();
  for (const { offline } of both) await offline.waitFor({ state: 'hidden' });
  await chrome.isBack();
  const arrived = expect.arrayContaining(['say From the tunnel.', 'say To nobody yet.']);
  await expect.poll(coder.taken, LONG_POLL).toEqual(arrived);
  coder.letOn('back');
  // The end of each message's turn ends the agent's message, so its words arrive as several.
  for (const device of both) await device.talk.getByText(/^(?!say ).*All of it is done\.$/).waitFor();

  // The task's outcome is unknown and later reports of its client are refused. The task runs again.
  await taskAgent.back();
  taskAgent.report(task, 'task.ok', 'Too late to be believed.');
  const taskOf = (id: string) => relay.ask<{ state: string; session_id: string }>('GET', `/api/tasks/${id}`);
  expect(await taskOf(task_id)).toMatchObject({ state: 'unknown' });
  const again = await relay.ask<{ task_id: string }>('POST', `/api/tasks/${task_id}/retry`);
  taskAgent.report(await taskAgent.task(2), 'task.ok', 'It leaves at noon.');
  await expect.poll(() => taskOf(again.task_id), LONG_POLL).toMatchObject({ state: 'completed' });

  // The purchase is finished: questions from before the crash are withdrawn, and the lamp is bought once.
  const paid = shopper.press(PAY);
  for (const device of both) await device.openPrompt('Pay ');
  expect(shop.orders()).toEqual([]);
  await phone.answer('Allow once');
  await desk.decision.waitFor({ state: 'detached' });
  expect(await paid).toMatchObject({ isError: false });
  await shopper.say('wait', { for: 'url', value: '/orders/' });
  expect(shop.orders()).toMatchObject([{ cardEnding: '4242' }]);

  // The ledger has everything in order, and both screens match it.
  const rows = await readLedger(relay);
  expect(chaptersIn(rows, CHAPTERS)).toEqual(CHAPTERS);
  expect(asked(rows)).toEqual([
    expect.stringMatching(/^permission_prompt .*Pay/),
    'permission_prompt_answered Phone deny',
    expect.stringMatching(/^permission_prompt .*Pay/),
    'permission_prompt_expired',
    expect.stringMatching(/^permission_prompt .*Pay/),
    'permission_prompt_answered Phone once',
  ]);
  const { session_id: retried } = await taskOf(again.task_id);
  const unknown = expect.stringMatching(/^Nobody can tell how it ended: /);
  expect(textsIn(rows, tasks)).toEqual([TASK, ACCEPTED, 'Opened the timetable.', unknown]);
  const done = 'It leaves at noon.';
  expect(textsIn(rows, retried)).toEqual([TASK, ACCEPTED, done, done]);
  for (const device of both) {
    for (const session_id of [conversation, tasks, retried]) {
      await device.look(session_id);
      await expect.poll(device.texts, LONG_POLL).toEqual(textsIn(rows, session_id));
    }
    await device.look(rows[0]?.session_id ?? '');
  }
  await expect.poll(desk.decisions, LONG_POLL).toEqual(DECISIONS);
  // The phone was reloaded in between.
  await expect.poll(async () => (await phone.decisions()).at(-1), LONG_POLL).toBe(DECISIONS.at(-1));

  // Everything that each device sent or received is in the ledger, once.
  await relay.stop();
  const { logs, sends } = writeLogs(
    both.map(({ witness }) => witness),
    coder.taken(),
  );
  expect(sends).toBe(5);
  expect(await checkLedger(logs, relay)).toMatchObject({ accepted: sends, problems: [] });
  await relay.command('ledger', 'verify', relay.data);
  removeEvent(logs, `phone-${conversation}`);
  const found = [expect.stringMatching(/^gap or repeat: phone/)];
  expect(await checkLedger(logs, relay)).toMatchObject({ problems: found });
});
