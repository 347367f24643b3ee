import { startRelay } from '@drawbridge/relay';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../test/live/program-harness.ts';
import { terminalOf } from '../../test/terminal.ts';
import { introduce } from './introduction.ts';

async function setUp() {
  const relay = await startRelay({ data: temporaryFolder(), port: 0 });
  onTestFinished(relay.close);
  const said = async (how: { readonly columns?: number; readonly isJson?: boolean }) => {
    const { columns, isJson = false } = how;
    const terminal = { ...terminalOf('').terminal, ...(columns !== undefined && { columns }) };
    const printed: string[] = [];
    await introduce(relay, {
      address: { host: '127.0.0.1' },
      print: (event, lines) => printed.push(...(isJson ? [JSON.stringify(event)] : lines)),
      terminal,
      isJson,
    });
    return printed.join('\n');
  };
  return { devices: relay.devices, url: relay.url, said };
}

const LINK = /\/#pair=[\w-]{43}/;

test("a log gets an owner's link only until an owner has paired", async () => {
  const { devices, url, said } = await setUp();
  expect(await said({})).toMatch(LINK);
  const order = { scopes: [], label: 'Phone', by: 'machine' } as const;
  await devices.mint({ ...order, roles: ['person'] });
  expect(await said({})).toMatch(LINK);
  const { device } = await devices.mint({ ...order, roles: ['owner'] });
  const words = await said({});
  expect(words).not.toMatch(LINK);
  expect(words).toContain(`Drawbridge runs at ${url}`);
  expect(words).toContain('To pair another device: drawbridge pair');
  await devices.revoke(device.device_id, 'machine');
  expect(await said({})).toMatch(LINK);
});

test('interactive terminals and --json always get it', async () => {
  const { devices, said } = await setUp();
  await devices.mint({ roles: ['owner'], scopes: [], label: 'Phone', by: 'machine' });
  expect(await said({ columns: 80 })).toMatch(LINK);
  expect(JSON.parse(await said({ isJson: true }))).toMatchObject({
    event: 'listening',
    pair_url: expect.stringMatching(LINK),
    token: devices.owner?.token,
  });
});
