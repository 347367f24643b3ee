import { join } from 'node:path';
import { scriptedAgent } from '@drawbridge/proxy/scripted-agent';
import { joinTab } from '@drawbridge/relay/test/crash/thread-cast';
import { contradictions, toldThread } from '@drawbridge/relay/test/crash/thread-check';
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
const MOST_WAITS = 5_000;
/** Messages whose presses are compared again after the next kills. */
const LATE = 3 * SENDS;
/** Under load a relay takes half a minute to start. */
const PATIENT = { timeout: 200_000, interval: 100 };

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
    const isLent = () => expect.poll(() => tabsOf(url, tokens.person), PATIENT).toHaveLength(1);
    await isLent();
    const { session_id } = await person.request({
      ...{ type: 'launch_session', agent_type: 'scripted', browser: true },
    });
    let sent = 0;
    /** Ids of presses, by message: those of the last rounds, for a killed agent's call may come late. */
    const ids = new Map<string, string>();
    const sendPress = (): string => {
      const id = `p${sent}`;
      sent += 1;
      const content = `tool act ${JSON.stringify({ steps: [{ do: 'click', id }] })}`;
      const { client_message_id, outcome } = person.sendMessage({ session_id, content });
      outcome.catch(() => undefined);
      ids.set(client_message_id, id);
      return id;
    };
    const told = () => toldThread(url, tokens.person, session_id);
    const problems = async () => {
      const done = [...ids].map(([message, id]) => {
        const isUnsent = outcomes.get(message)?.[0] === 'failed';
        return [id, { times: pressed.get(id) ?? 0, isDenied: denied.has(id), isUnsent }] as const;
      });
      return contradictions(await told(), new Map(done));
    };
    /** Waits until nothing is under way, and the conversation agrees with the tab. */
    const agrees = async (): Promise<void> => {
      await expect.poll(() => [...ids.keys()].every((each) => outcomes.has(each)), PATIENT).toBe(true);
      await expect.poll(problems, PATIENT).toEqual([]);
      await isLent();
      for (const each of [...ids.keys()].slice(0, -LATE)) ids.delete(each);
    };
    for (let kill = 0; kill < TIMES; kill += 1) {
      const [pressesBefore, askedBefore, takenBefore] = [pressed.size, asked, taken().length];
      for (let n = 0; n < SENDS; n += 1) sendPress();
      const whom = VICTIMS[kill % VICTIMS.length];
      await expect.poll(() => taken().length, { ...PATIENT, interval: 5 }).toBeGreaterThan(takenBefore);
      const hasCalled = (): boolean => pressed.size > pressesBefore || asked > askedBefore;
      // A busy machine may fail the call before it reaches the tab.
      const waits = random.int(0, 2) > 0 ? MOST_WAITS : 0;
      for (let wait = 0; wait < waits && !hasCalled(); wait += 1) await passed(2);
      await passed(random.int(0, 30));
      const pid = taken().at(-1)?.pid;
      if (whom === 'agent' && pid !== undefined) process.kill(pid, 'SIGKILL');
      else if (whom === 'relay') await harness.killRelay();
      else await harness.killProxy();
      await agrees();
    }
    // Presses work after the last kill, unless the person refuses.
    for (let status: string | undefined; status !== 'ok'; ) {
      const { lastCall } = await told();
      const id = sendPress();
      await expect.poll(async () => (await told()).lastCall, PATIENT).not.toBe(lastCall);
      status = (await told()).presses.get(id);
    }
    await agrees();
    expect([...pressed].filter(([, times]) => times > 1)).toEqual([]);
    console.log(
      `killed ${TIMES} times, seed ${SEED}: ${sent} presses sent, ${pressed.size} done, asked ${asked}`,
    );
  },
  240_000 + TIMES * 60_000,
);

/** Tabs that are lent now. */
async function tabsOf(url: string, token: string): Promise<readonly unknown[]> {
  const answer = await fetch(`${url}/api/runtimes`, { headers: { authorization: `Bearer ${token}` } });
  const { runtimes } = await answer.json();
  return runtimes;
}
