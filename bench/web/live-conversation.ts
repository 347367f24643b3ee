import type { LaunchedChromium } from '@drawbridge/testbed';
import type { TestProxy, WebHarness } from '@drawbridge/web/test/web-harness';
import { type FrameTimes, framesDuring, latencyDuring } from './frame-times.ts';
import { lastLine, seed, stream } from './long-session.ts';
import { wheel } from './opening.ts';
import { heldBytes, openPhone } from './phone.ts';

export interface LiveConversation {
  readonly following: FrameTimes;
  readonly typing: FrameTimes;
  readonly readingBack: FrameTimes;
  /** Events per second that the relay delivered. */
  readonly perSecond: number;
  readonly catchUp: FrameTimes;
  readonly catchUpMs: number;
  readonly heldBytes: number;
  readonly nodes: number;
}

export interface LiveConversationOptions {
  readonly harness: WebHarness;
  readonly proxy: TestProxy;
  readonly session_id: string;
  readonly url: string;
  /** Events in the conversation, and again as many that arrive while the page is away. */
  readonly events: number;
  readonly seconds: number;
  readonly perSecond: number;
}

const TEXT = 'The quick brown fox jumps over the lazy dog. ';

/**
 * A busy conversation: followed, typed into and scrolled back while it grows, and caught up with at the end.
 */
export async function measureLiveConversation(
  chromium: LaunchedChromium,
  options: LiveConversationOptions,
): Promise<LiveConversation> {
  const { harness, proxy, session_id, url, events, seconds, perSecond } = options;
  const { page, devtools, close } = await openPhone(chromium, false);
  const history = page.getByRole('region', { name: 'Conversation' });
  const composer = page.getByRole('textbox', { name: 'Message', exact: true });
  const head = async () => (await harness.relay.ledger.session(session_id))?.head ?? 0;
  await page.goto(url);
  await history.getByText(lastLine(events)).waitFor();

  let next = events;
  let arrived = 0;
  let lasted = 0;
  const during = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    const [began, before] = [performance.now(), await head()];
    const sending = stream(proxy, session_id, { first: next, perSecond });
    const value = await work();
    lasted += performance.now() - began;
    arrived += (await head()) - before;
    next += sending.stop();
    // The relay stores the rest before the next benchmark starts.
    while ((await head()) < next) await pause(20);
    return value;
  };
  const following = await during(() => framesDuring(page, () => pause(seconds * 1_000)));
  await composer.click();
  const text = TEXT.repeat(Math.max(1, Math.ceil(seconds / 5)));
  const typing = await during(() =>
    latencyDuring(page, text.length, async () => {
      for (const letter of text) await page.keyboard.press(letter === ' ' ? 'Space' : letter);
    }),
  );
  const readingBack = await during(() => framesDuring(page, () => wheel(page, -300, seconds)));
  await page.getByRole('button', { name: 'Jump to the newest' }).click();
  await history.getByText(lastLine(next)).waitFor();

  harness.goOffline();
  await page.getByText('No connection to the relay').waitFor();
  await seed(harness, session_id, events, next);
  next += events;
  let catchUpMs = 0;
  const catchUp = await framesDuring(page, async () => {
    const began = performance.now();
    harness.goOnline();
    await page.evaluate("dispatchEvent(new Event('online'))");
    await history.getByText(lastLine(next)).waitFor({ timeout: 600_000 });
    catchUpMs = performance.now() - began;
  });
  const held = await heldBytes(devtools);
  const { nodes } = await devtools.send('Memory.getDOMCounters');
  await close();
  return {
    ...{ following, typing, readingBack, perSecond: (arrived * 1_000) / lasted },
    ...{ catchUp, catchUpMs, heldBytes: held, nodes },
  };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
