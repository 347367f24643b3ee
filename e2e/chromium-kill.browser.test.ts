import { createServer } from 'node:http';
import { setTimeout as passed } from 'node:timers/promises';
import { contradictions, toldThread } from '@drawbridge/relay/test/crash/thread-check';
import { startTestRelay } from '@drawbridge/relay/test/server/test-relay';
import { http, mcp } from '@drawbridge/relay/test/threads/thread-harness';
import { createSeededRandom, listenOnLoopback } from '@drawbridge/testbed';
import { expect, onTestFinished, test } from 'vitest';
import { type BrowserHarness, startBrowserHarness } from './browser-harness.ts';
import { killBrowsers } from './chaos-harness.ts';
import { idOf } from './mcp-client.ts';

const TIMES = Number(process.env['DRAWBRIDGE_CHROMIUM_KILLS'] ?? 1);
const SEED = Number(process.env['DRAWBRIDGE_CRASH_SEED'] ?? 1);
const PRESSES = 3;
const PATIENT = { timeout: 200_000 };

/** Buttons that are at the server when their press is over; a person is asked about every third one. */
async function startSite() {
  const pressed = new Map<string, number>();
  const button = (number: number) =>
    `<button onclick="with (new XMLHttpRequest()) { open('POST', '/p${number}', false); send() }">${number % 3 === 0 ? 'Pay ' : ''}p${number}</button>`;
  const server = createServer(({ method, url = '' }, response) => {
    const id = url.slice(1);
    if (method === 'POST') pressed.set(id, (pressed.get(id) ?? 0) + 1);
    const from = Number(id) || 0;
    const buttons = Array.from({ length: PRESSES + 1 }, (_, at) => button(from + at)).join('');
    response.setHeader('content-type', 'text/html').end(`<!doctype html><title>Lamps</title>${buttons}`);
  });
  const url = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url, pressed };
}

test(
  `[CHT-331] [CHT-332] Chromium killed ${TIMES} times in the middle of a thread, seed ${SEED}: the conversation agrees with the page, nothing waits any more, and nothing is pressed twice`,
  async () => {
    const random = createSeededRandom(SEED);
    const { url, pressed } = await startSite();
    const relay = await startTestRelay();
    const { token } = await relay.mint('agent');
    const owner = await relay.mint('owner');
    const person = await relay.connect('owner');
    const denied = new Set<string>();
    let asked = 0;
    const answerPrompts = async (): Promise<void> => {
      for (;;) {
        const { session_id, prompt_id, prompt_text } = await person.next('permission_prompt');
        const choice_id = random.int(0, 2) === 0 ? 'deny' : 'once';
        const [, id = ''] = /“Pay (p\d+)”/.exec(prompt_text) ?? [];
        asked += 1;
        await passed(random.int(0, 100));
        if (choice_id === 'deny') denied.add(id);
        const request_id = `answer_${asked}`;
        person.send({ type: 'permission_response', request_id, session_id, prompt_id, choice_id });
      }
    };
    answerPrompts().catch(() => undefined);

    const open = async (round: number): Promise<BrowserHarness> => {
      const harness = await startBrowserHarness({ bridge: relay.bridge, asker: relay.asker });
      await harness.goto(`${url}/${round * (PRESSES + 1)}`);
      return harness;
    };
    let browser = await open(0);
    onTestFinished(() => browser[Symbol.asyncDispose]());
    const look = async (): Promise<string> => {
      const { text } = await mcp(relay, token, 'snapshot', { fresh: true });
      return text.replaceAll('\\n', '\n').replaceAll('\\"', '"');
    };
    const press = (page: string, number: number) => {
      const id = idOf(page, `btn ${number % 3 === 0 ? 'Pay ' : ''}p${number}`);
      return mcp(relay, token, 'act', { steps: [{ do: 'click', id }] });
    };
    let page = await look();
    const { session } = await person.next('session_up');
    const { session_id } = session;
    const done = new Set<string>();
    const agrees = async (numbers: readonly number[]): Promise<ReadonlyMap<string, string>> => {
      const presses = numbers.map((number) => {
        const id = `p${number}`;
        const facts = { times: pressed.get(id) ?? 0, isDenied: denied.has(id), isDone: done.has(id) };
        return [id, facts] as const;
      });
      const told = () => toldThread(relay.url, owner.token, session_id);
      await expect.poll(async () => contradictions(await told(), new Map(presses)), PATIENT).toEqual([]);
      return (await told()).presses;
    };
    const found = { ok: 0, failed: 0, unknown: 0, none: 0 };
    for (let round = 0; round < TIMES; round += 1) {
      const first = round * (PRESSES + 1);
      if (round > 0) {
        await browser.goto(`${url}/${first}`);
        page = await look();
      }
      const numbers = Array.from({ length: PRESSES }, (_, at) => first + at);
      const pressing = numbers.map(async (number) => {
        const { text } = await press(page, number);
        if (text.includes(' ok')) done.add(`p${number}`);
      });
      const seen = (await http(relay, owner, 'GET', `/api/sessions/${session_id}/browser`)).body;
      expect(seen).toMatchObject({ lent: true, tabs: [{ url: `${url}/${first}` }] });
      await passed(random.int(0, 600));
      killBrowsers();
      await Promise.all(pressing);
      await browser[Symbol.asyncDispose]();
      browser = await open(round);
      const presses = await agrees(numbers);
      for (const number of numbers) {
        const status = presses.get(`p${number}`);
        found[status === 'ok' || status === 'failed' || status === 'unknown' ? status : 'none'] += 1;
      }
      // The tab is back in the thread: the next press is done, once.
      const last = first + PRESSES;
      page = await look();
      await press(page, last);
      await expect.poll(async () => (await agrees([last])).get(`p${last}`), PATIENT).toMatch(/ok|failed/);
      expect(pressed.get(`p${last}`) ?? 0).toBe(denied.has(`p${last}`) ? 0 : 1);
    }
    expect(Math.max(...pressed.values())).toBe(1);
    console.log(`killed ${TIMES} times, seed ${SEED}: ${JSON.stringify(found)}, asked ${asked}`);
  },
  240_000 + TIMES * 60_000,
);
