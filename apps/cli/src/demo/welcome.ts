import { hostname } from 'node:os';
import type { Terminal } from '../command.ts';
import { invitationLines } from '../relay/invitation-words.ts';
import { peoplesUrl } from '../relay/own-name.ts';
import { phoneUrl } from '../relay/reach.ts';
import type { DemoSetup, DemoSetupOptions } from './demo-setup.ts';
import type { Narrator } from './narrator.ts';

const COMING_MS = 4_000;

/** Introduces the demo, and prints the pairing link. */
export async function welcome(
  { relay, shop, data }: DemoSetup,
  { host }: DemoSetupOptions,
  { print, show, pause }: Narrator,
  terminal: Terminal,
): Promise<void> {
  const { url, devices, fingerprint } = relay;
  const outside = phoneUrl(url, { host });
  const { pair_path, expires_at } = await devices.invitations.create({
    roles: ['owner'],
    scopes: [],
    label: `Browser on ${hostname()}`,
    by: 'machine',
  });
  const pair_url = `${outside ?? url}${pair_path}`;
  const link = outside === undefined ? `${await peoplesUrl(url)}${pair_path}` : pair_url;
  print('ready', { url, pair_url, shop_url: shop.url, data: data.path }, 'act', WHAT_IT_IS);
  const invitation =
    outside === undefined
      ? linkLines(link)
      : invitationLines({ pair_url, expires_at, reachable: true, fingerprint }, terminal);
  show(['', ...invitation]);
  await pause(COMING_MS);
}

const WHAT_IT_IS =
  'The Drawbridge demo: a shop, an agent and a relay, all on this machine. No money, no model.';

export const linkLines = (link: string): readonly string[] => [
  'Open this link in a browser to watch and decide (works once):',
  `  ${link}`,
  'On a phone, with a QR code:',
  '  drawbridge demo --host 0.0.0.0',
];
