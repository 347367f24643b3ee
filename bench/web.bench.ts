import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type LaunchedChromium, launchChromium } from '@drawbridge/testbed';
import { openWebHarness } from '@drawbridge/web/test/web-harness';
import { benchmark, type Report, reasonOf } from './report.ts';
import { liveFigures, openingFigures, PER_SECOND } from './web/figures.ts';
import { firstScreenBytes } from './web/first-screen.ts';
import { measureLiveConversation } from './web/live-conversation.ts';
import { lastLine, seed } from './web/long-session.ts';
import { measureOpening, type Opening, type Subject } from './web/opening.ts';
import { PEER, startPeer } from './web/peer.ts';
import { printLive, printOpenings } from './web/report.ts';

/**
 * The web app with a conversation of 100,000 events in a Chromium of a phone's size: bytes loaded and time
 * until usable beside another project's web client, in one run; then its smoothness while 500 events a second
 * arrive. `--quick` has a tenth of the events, `--no-peers` leaves the peer out. The ledger is in memory:
 * disks are measured by `relay`.
 */

const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, peers: { type: 'boolean', default: true } },
  allowNegative: true,
});
const [events, seconds] = values.quick ? [10_000, 5] : [100_000, 15];
/** The limit of a hundred frames a second per person would hide the page's capacity. */
const UNPACED = {
  browser_frames_per_second: 1_000_000,
  browser_burst: 1_000_000,
  proxy_frames_per_second: 1_000_000,
  loop_percent: 100,
};
const MEMORY = '/dev/shm';
/** Runs in the page. */
const FORGET_SHELL = `(async () => {
  for (const each of await navigator.serviceWorker.getRegistrations()) await each.unregister();
  for (const name of await caches.keys()) await caches.delete(name);
})()`;

const inMemory = await access(MEMORY).then(
  () => MEMORY,
  () => tmpdir(),
);

await benchmark(async (report) => {
  const folder = await mkdtemp(join(inMemory, 'drawbridge-bench-web-'));
  try {
    await bench(folder, report);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

async function bench(folder: string, report: Report): Promise<void> {
  await using chromium = await launchChromium();
  await using harness = await openWebHarness({ limits: UNPACED, data: join(folder, 'relay') });
  await fetch(harness.url);
  const session_id = 'long';
  const url = `${harness.url}/s/${session_id}`;
  const proxy = await harness.proxy();
  const activity = { kind: 'generating' };
  proxy.list({ session_id, agent_type: 'codex', status: 'healthy', display_name: 'Long', activity });
  await seed(harness, session_id, events);
  const pairing = await chromium.context.newPage();
  await pairing.goto(await harness.pairLink());
  await pairing.getByText('Long', { exact: true }).waitFor();
  // Makes the next visit a first one.
  await pairing.evaluate(FORGET_SHELL);
  await pairing.close();
  console.log(`${events.toLocaleString('en')} events.`);

  const us: Subject = {
    name: 'ours',
    url,
    async isUsable(page) {
      await page.getByRole('region', { name: 'Conversation' }).getByText(lastLine(events)).waitFor();
      await page.getByRole('textbox', { name: 'Message', exact: true }).waitFor();
    },
  };
  const ours = await measureOpening(chromium, us, seconds);
  const shellBytes = await firstScreenBytes(harness.url);
  report.add(...openingFigures(shellBytes, ours, undefined, events));
  const peer = await peerOpening(chromium, folder, report);
  printOpenings(ours, peer);
  report.add(...openingFigures(shellBytes, ours, peer, events));
  const talk = { harness, proxy, session_id, url, events, seconds, perSecond: PER_SECOND };
  const live = await measureLiveConversation(chromium, talk);
  printLive(live, events);
  report.add(...liveFigures(live, events));
}

async function peerOpening(
  chromium: LaunchedChromium,
  folder: string,
  { didNotRun }: Report,
): Promise<Opening | undefined> {
  if (!values.peers) {
    didNotRun('the peer: left out by --no-peers');
    return undefined;
  }
  try {
    const running = await startPeer(folder, events);
    const them: Subject = {
      name: PEER.replace(/@(?=[\d.]+$)/, ' '),
      url: running.url,
      prepare: (page) =>
        page.addInitScript((token) => localStorage.setItem('auth-token', token), running.token),
      isUsable: (page) => running.isUsable(page),
    };
    return await measureOpening(chromium, them, seconds).finally(running.close);
  } catch (error) {
    didNotRun(`${PEER}: ${reasonOf(error)}`);
    return undefined;
  }
}
