import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { scriptedAgent } from '@drawbridge/proxy/scripted-agent';
import { expect, test, vi } from 'vitest';
import { KILLS, startKillHarness } from './proxy-kill.ts';

/** Long enough for a version in the ledger before its end (CHT-297), and for chunks on their way at a kill. */
const WORDS = 300;
const part = (name: string): string => Array.from({ length: WORDS }, (_, n) => `${name}${n}`).join(' ');

type Harness = Awaited<ReturnType<typeof startKillHarness>>;

/** Texts of the agent's messages, as a screen has them. */
function watch({ person }: Harness) {
  const texts = new Map<string, string>();
  person.onEvent((event) => {
    if (event.type !== 'message_event' || event.message.role !== 'assistant') return;
    texts.set(event.message.message_id, event.message.content);
  });
  return {
    answers: (): readonly string[] => [...texts.values()].filter((text) => text.includes('one0')),
    endsWith: (word: string): boolean => [...texts.values()].some((text) => text.endsWith(word)),
  };
}

async function startAnswer() {
  let folder = '';
  const harness = await startKillHarness(
    (at) => {
      folder = at;
      const agent = scriptedAgent({ log: join(at, 'log'), home: join(at, 'home') });
      return { agents: { command: agent.command }, env: agent.env };
    },
    ['appends'],
  );
  const screen = watch(harness);
  const { session_id } = await harness.person.request({ type: 'launch_session', agent_type: 'scripted' });
  const content = `say ${part('one')};hold ${join(folder, 'two')};say ${part('two')};hold ${join(folder, 'three')};say ${part('three')}`;
  harness.person.sendMessage({ session_id, content });
  await expect.poll(() => screen.endsWith(`one${WORDS - 1}`)).toBe(true);
  return {
    ...{ harness, screen, session_id },
    goOn: (name: 'two' | 'three') => writeFile(join(folder, name), ''),
  };
}

/** The agent's answers of the session, for a client that was not there. */
async function storedAnswers(harness: Harness, session_id: string): Promise<readonly string[]> {
  const history = await harness.person.request({ type: 'history_request', session_id });
  const messages = history.type === 'history_snapshot' ? history.messages : [];
  return messages.flatMap(({ role, content }) =>
    role === 'assistant' && content.includes('one0') ? [content] : [],
  );
}

test('[CHT-297] [CHT-303] an answer that grows while its relay is killed twice is whole, once, on the screen and in the history', async () => {
  const { harness, screen, session_id, goOn } = await startAnswer();
  await harness.killRelay();
  await goOn('two');
  await expect.poll(() => screen.endsWith(`two${WORDS - 1}`)).toBe(true);
  await harness.killRelay();
  await goOn('three');
  await expect.poll(() => screen.endsWith(`three${WORDS - 1}`)).toBe(true);
  const whole = [part('one') + part('two') + part('three')];
  await expect.poll(() => screen.answers()).toEqual(whole);
  await expect.poll(async () => await storedAnswers(harness, session_id)).toEqual(whole);
});

test('[CHT-303] an answer that its proxy was killed in keeps what the screen showed, once', async () => {
  const { harness, screen, session_id } = await startAnswer();
  await harness.killProxy();
  await expect.poll(async () => await storedAnswers(harness, session_id)).toEqual([part('one')]);
  expect(screen.answers()).toEqual([part('one')]);
});

test(`[CHT-303] the last words of an agent before its proxy is killed are in the history, once, ${KILLS} times`, async () => {
  const harness = await startKillHarness((at) => {
    const agent = scriptedAgent({ log: join(at, 'log'), home: join(at, 'home') });
    return { agents: { command: agent.command }, env: agent.env };
  });
  const { person } = harness;
  let writes = Promise.withResolvers<void>();
  person.onEvent(({ type, ...event }) => {
    const isWriting =
      type === 'session_status' && 'activity' in event && event.activity?.kind === 'generating';
    if (isWriting) writes.resolve();
  });
  const { session_id } = await person.request({ type: 'launch_session', agent_type: 'scripted' });
  const replies: string[] = [];
  for (let kill = 0; kill < KILLS; kill += 1) {
    writes = Promise.withResolvers();
    replies.push(`reply-${kill}`);
    person
      .sendMessage({ session_id, content: `say reply-${kill};hold /nowhere` })
      .outcome.catch(() => undefined);
    await writes.promise;
    await harness.killProxy();
  }
  const stored = async (): Promise<readonly string[]> => {
    const history = await person.request({ type: 'history_request', session_id });
    const messages = history.type === 'history_snapshot' ? history.messages : [];
    return messages.flatMap(({ content }) => (content.startsWith('reply-') ? [content] : []));
  };
  await expect.poll(stored).toEqual(replies);
});

test('[CHT-303] an agent that writes on while its relay is away waits at its pipe, and then loses nothing', async () => {
  const MESSAGES = 300;
  let home = '';
  const harness = await startKillHarness((at) => {
    home = join(at, 'home');
    const agent = scriptedAgent({ log: join(at, 'log'), home });
    // A third of what the agent writes.
    return { agents: { command: agent.command }, env: agent.env, maxUnsentChars: 1_000_000 };
  });
  /** Messages that the agent has begun to write. */
  const begun = async (): Promise<number> => {
    const [file = ''] = await readdir(home);
    return (await readFile(join(home, file), 'utf8')).match(/flood-\d+ /g)?.length ?? 0;
  };
  const { person } = harness;
  const arrived: string[] = [];
  person.onEvent((event) => {
    if (event.type === 'message_event' && event.message.content.startsWith('flood-'))
      arrived.push(event.message.content.split(' ')[0] ?? '');
  });
  const { session_id } = await person.request({ type: 'launch_session', agent_type: 'scripted' });
  const gate = join(home, '../gate');
  const { outcome } = person.sendMessage({ session_id, content: `hold ${gate};flood ${MESSAGES}` });
  await outcome;
  await harness.killRelay(async () => {
    await writeFile(gate, '');
    await harness.proxy.next('alarm');
    // Nothing reads the pipe: the agent's count stands still.
    const counts: number[] = [];
    await vi.waitUntil(async () => counts.push(await begun()) > 1 && counts.at(-1) === counts.at(-2), {
      ...{ interval: 500, timeout: 60_000 },
    });
    expect(counts.at(-1)).toBeLessThan(MESSAGES * 0.6);
  });
  const all = Array.from({ length: MESSAGES }, (_, n) => `flood-${n}`);
  await expect.poll(() => [...new Set(arrived)], { timeout: 60_000 }).toEqual(all);
  expect(await begun()).toBe(MESSAGES);
});
