import { join } from 'node:path';
import { scriptedAgent } from '@drawbridge/proxy/scripted-agent';
import { joinTab } from '@drawbridge/relay/test/crash/thread-cast';
import { openPeer } from '@drawbridge/relay/test/server/test-relay';
import { createSeededRandom } from '@drawbridge/testbed';
import { expect, onTestFinished, test } from 'vitest';
import { passed, SEED, startKillHarness } from './proxy-kill.ts';

const TIMES = Number(process.env['DRAWBRIDGE_BROWSER_KILLS'] ?? 2);
/** In turn, so that a short run kills the proxy and the agent. */
const VICTIMS = ['proxy', 'agent', 'relay'] as const;
const MCP_COMMAND = [
  process.execPath,
  join(import.meta.dirname, '../apps/cli/bin/drawbridge.mjs'),
  'mcp',
] as const;
const SENDS = 2;

test(
  `[CHT-329] [CHT-331] a proxy, an agent with the browser, or a relay, killed ${TIMES} times during a press, seed ${SEED}: nothing is pressed twice, and the conversation agrees with the tab`,
  async () => {
    const random = createSeededRandom(SEED);
    let taken: () => ReturnType<ReturnType<typeof scriptedAgent>['taken']> = () => [];
    const harness = await startKillHarness((folder) => {
      const agent = scriptedAgent({ log: join(folder, 'log'), home: join(folder, 'home') });
      taken = agent.taken;
      return { agents: { command: agent.command, browser: MCP_COMMAND }, env: agent.env };
    });
    const { url, tokens, person, outcomes } = harness;
    const pressed = new Map<string, number>();
    onTestFinished(joinTab({ url, tokens, random, record: { pressed }, isPatient: true }));
    let asked = 0;
    const denied = new Set<string>();
    person.onEvent((event) => {
      if (event.type !== 'permission_prompt') return;
      const { session_id: where, prompt_id, prompt_text } = event;
      const choice_id = random.int(0, 2) === 0 ? 'deny' : 'once';
      if (choice_id === 'deny') denied.add(/Press (p\d+)\./.exec(prompt_text)?.[1] ?? '');
      asked += 1;
      const answer = { session_id: where, prompt_id, choice_id, request_id: `answer_${asked}` };
      setTimeout(() => person.send({ type: 'permission_response', ...answer }), random.int(0, 40));
    });
    const watch = async () => {
      const peer = await openPeer(url, { token: tokens.person, device_id: '', role: 'person' });
      peer.send({ type: 'connection_hello', peer_role: 'browser', client_name: 'test' });
      return { peer, ack: await peer.next('connection_ack') };
    };
    const openPrompts = async () => {
      const { peer, ack } = await watch();
      await peer.close();
      return ack.open_prompts ?? [];
    };
    await expect.poll(async () => (await tabsOf(url, tokens.person)).length).toBe(1);
    const { session_id } = await person.request({
      ...{ type: 'launch_session', agent_type: 'scripted', browser: true },
    });
    const found = { ok: 0, failed: 0, unknown: 0, none: 0 };
    let sent = 0;
    const ids = new Map<string, string>();
    const sendPress = (): void => {
      const id = `p${sent}`;
      sent += 1;
      const content = `tool act ${JSON.stringify({ steps: [{ do: 'click', id }] })}`;
      const { client_message_id, outcome } = person.sendMessage({ session_id, content });
      outcome.catch(() => undefined);
      ids.set(client_message_id, id);
    };
    /** Waits until nothing is under way, and compares the conversation with the tab. */
    const agrees = async (): Promise<void> => {
      await expect.poll(() => [...ids.keys()].every((each) => outcomes.has(each))).toBe(true);
      await expect.poll(openPrompts, { interval: 200 }).toEqual([]);
      const { peer } = await watch();
      const statuses = async () => {
        peer.send({ type: 'history_request', session_id, limit: 100 });
        const { messages } = await peer.next('history_snapshot');
        const words = messages.map(
          ({ content, metadata }) => [content, JSON.stringify(metadata ?? {})] as const,
        );
        return {
          open: words.filter(([, details]) => /"status":"(?:running|pending)"/.test(details)),
          steps: new Map(
            words.flatMap(([content, details]) => {
              const [, id] = /element (p\d+) /.exec(content) ?? [];
              const [, status = ''] = /"kind":"step".*"status":"(\w+)"/.exec(details) ?? [];
              return id === undefined || status === '' ? [] : [[id, status] as const];
            }),
          ),
        };
      };
      await expect.poll(async () => (await statuses()).open, { interval: 100 }).toEqual([]);
      const { steps } = await statuses();
      for (const [message, id] of ids) {
        const [outcome] = outcomes.get(message) ?? [];
        const status = steps.get(id);
        const times = pressed.get(id) ?? 0;
        const words = `${id} reads ${status}, was ${outcome} and was pressed ${times} times`;
        expect(times, words).toBeLessThanOrEqual(1);
        if (status === 'ok') expect(times, words).toBe(1);
        if (status === 'failed' || status === undefined || outcome === 'failed') expect(times, words).toBe(0);
        if (denied.has(id)) expect(times, words).toBe(0);
        if (status === 'ok' || status === 'failed' || status === 'unknown') found[status] += 1;
        else found.none += 1;
      }
      ids.clear();
      await peer.close();
    };
    for (let kill = 0; kill < TIMES; kill += 1) {
      const [pressesBefore, askedBefore, takenBefore] = [pressed.size, asked, taken().length];
      for (let n = 0; n < SENDS; n += 1) sendPress();
      const whom = VICTIMS[kill % VICTIMS.length];
      await expect.poll(() => taken().length, { interval: 5 }).toBeGreaterThan(takenBefore);
      const hasCalled = (): boolean => pressed.size > pressesBefore || asked > askedBefore;
      if (random.int(0, 2) > 0) await expect.poll(hasCalled, { interval: 1 }).toBe(true);
      await passed(random.int(0, 30));
      const pid = taken().at(-1)?.pid;
      if (whom === 'agent' && pid !== undefined) process.kill(pid, 'SIGKILL');
      else if (whom === 'relay') await harness.killRelay();
      else await harness.killProxy();
      await agrees();
    }
    sendPress();
    await agrees();
    console.log(
      `killed ${TIMES} times, seed ${SEED}: ${sent} presses sent, ${JSON.stringify(found)}, asked ${asked}`,
    );
    expect(found.ok).toBeGreaterThan(0);
  },
  240_000 + TIMES * 20_000,
);

/** Tabs that are lent now. */
async function tabsOf(url: string, token: string): Promise<readonly unknown[]> {
  const answer = await fetch(`${url}/api/runtimes`, { headers: { authorization: `Bearer ${token}` } });
  const { runtimes } = await answer.json();
  return runtimes;
}
