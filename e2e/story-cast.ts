import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startExtensionHarness } from '@drawbridge/extension/test/extension-harness';
import { scriptedAgent } from '@drawbridge/proxy/scripted-agent';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { startProgram, temporaryFolder } from 'drawbridge/test/live/program-harness';
import { expect, onTestFinished } from 'vitest';
import { idOf } from './mcp-client.ts';
import { LONG_POLL } from './story-devices.ts';
import type { StoryRelay } from './story-relay.ts';

/** A call waits for people, who wait for a slow machine. */
const CALL_MS = 300_000;

/** A Chrome with the extension, paired by a link. */
export async function startExtension(relay: StoryRelay) {
  const harness = await startExtensionHarness();
  onTestFinished(() => harness[Symbol.asyncDispose]());
  await harness.ask({ do: 'pair', link: await relay.pairLink('extension', 'Chrome'), name: 'Chrome' });
  return {
    /** `frames`: private addresses in its frames, which the person has opened before. */
    async lend(url: string, ...frames: readonly string[]) {
      await harness.openAddresses(...frames);
      const page = await harness.open(url);
      await harness.press(page);
      await harness.until(({ relay: { kind }, tabs }) => kind === 'online' && tabs.length === 1);
    },
    async isBack() {
      await harness.until(({ relay: { kind } }) => kind === 'online');
    },
  };
}

/** The official MCP client at the relay's MCP endpoint. */
export async function startShopper(relay: StoryRelay) {
  const order = { roles: ['agent'], label: 'Shopping agent' };
  const { token } = await relay.ask<{ token: string }>('POST', '/api/devices', order);
  const client = new Client(
    { name: 'test-client', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  onTestFinished(() => client.close());
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${relay.url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  );
  const say = async (name: string, args: Record<string, unknown> = {}) => {
    const { content, isError } = await client.callTool({ name, arguments: args }, { timeout: CALL_MS });
    const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
    return { text, isError: isError === true };
  };
  /** Repeats the call until the answer contains this text, since the page may still be loading. */
  const until = async (words: string, tool: string, args = {}): Promise<string> => {
    let text = '';
    const told = async () => {
      text = (await say(tool, args)).text;
      return text;
    };
    await expect.poll(told, LONG_POLL).toContain(words);
    return text;
  };
  const look = (node: string): Promise<string> => until(node, 'snapshot', { fresh: true });
  return {
    say,
    hasMap: (action: string) => until(action, 'site', { mode: 'list' }),
    /** Calls a tool of the shop's map. */
    async site(action: string, args: Record<string, unknown> = {}) {
      const { text, isError } = await say('site', { mode: 'call', action, arguments: args });
      expect({ action, failure: isError ? text : '' }).toEqual({ action, failure: '' });
    },
    async fill(values: Readonly<Record<string, string>>) {
      const form = await look(Object.keys(values)[0] ?? '');
      const steps = Object.entries(values).map(([name, value]) => ({
        do: 'fill',
        id: idOf(form, name),
        value,
      }));
      expect(await say('act', { steps })).toMatchObject({ isError: false });
    },
    press: async (node: string) => say('act', { steps: [{ do: 'click', id: idOf(await look(node), node) }] }),
  };
}

/** `drawbridge proxy` with a coding agent that follows the words of its prompts. */
export async function startCoder({ data }: StoryRelay) {
  const folder = realpathSync(temporaryFolder());
  const agent = scriptedAgent({ log: join(folder, 'taken'), home: join(folder, 'home') });
  const workspace = join(folder, 'web-shop');
  mkdirSync(workspace);
  const command = `scripted=${JSON.stringify(agent.command)}`;
  const place = ['--workspace', workspace, '--data', data, '--label', 'studio', '--json'];
  const program = startProgram(
    ['proxy', '--agent', command, '--env', 'SCRIPTED_AGENT_*', ...place],
    agent.env,
  );
  await program.line(({ event, state }) => event === 'relay' && state === 'open');
  const gate = (name: string): string => join(folder, name);
  return {
    taken: () => agent.taken().map(({ text }) => text),
    /** A prompt at which the agent waits until it is released. */
    until: (name: string): string => `hold ${gate(name)}`,
    letOn: (name: string): void => writeFileSync(gate(name), ''),
  };
}
