import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startRelay } from '@drawbridge/relay';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../test/live/program-harness.ts';
import { type DataFolder, openDataFolder } from '../live/data-folder.ts';
import { createLocalAgents } from './local-agents.ts';
import { startedAt } from './start-problem.ts';

/** Starts a relay, and returns it or the error message. */
async function tried(data: DataFolder, port: number, anyPort = false) {
  const said: string[] = [];
  const start = (at: number) => startRelay({ data: data.path, port: at });
  const relay = await startedAt({ port, anyPort, data, print: (line) => said.push(line) }, start).catch(
    (error: Error) => void said.push(...error.message.split('\n')),
  );
  if (relay) onTestFinished(relay.close);
  return { relay, said };
}

async function runningRelay() {
  const data = await openDataFolder(temporaryFolder());
  const relay = await startRelay({ data: data.path, port: 0 });
  onTestFinished(relay.close);
  const agents = createLocalAgents(data);
  onTestFinished(agents.close);
  await agents.letIn(relay);
  return { data, relay };
}

test("a second relay on one folder gets the first one's address, and how to open and stop it", async () => {
  const { data, relay } = await runningRelay();
  expect((await tried(data, 0, true)).said).toEqual([
    `A relay runs with ${data.path} already, at ${relay.url}.`,
    'To open it: drawbridge pair gives a link.',
    `To end it: Ctrl-C where it runs, or: kill ${process.pid}.`,
    'To run another beside it: --data with another folder, and --port 0.',
  ]);
});

test('leaves a port to another Drawbridge', async () => {
  const { relay } = await runningRelay();
  const other = await openDataFolder(temporaryFolder());
  const { said } = await tried(other, relay.port, true);
  expect(said[0]).toBe(`Another Drawbridge runs at ${relay.url}, with another folder than ${other.path}.`);
});

test('uses another port, or explains how to choose one, if another program has it', async () => {
  const program = createServer((_, response) => response.end('{"info":{"title":"Printer"}}'));
  await new Promise<void>((resolve) => program.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void program.close());
  const { port } = program.address() as AddressInfo;
  const data = await openDataFolder(temporaryFolder());
  expect((await tried(data, port)).said).toEqual([
    `Port ${port} is in use by another program. Choose a port with --port, or --port 0 for any free one.`,
  ]);
  const { relay, said } = await tried(data, port, true);
  expect(said).toEqual([`Port ${port} is in use by another program, so another port is used.`]);
  expect(relay?.port).not.toBe(port);
});
