import { setTimeout as passed } from 'node:timers/promises';
import { type NodeOptions, type RelayNode, startNode } from '@drawbridge/relay';
import type { Introduced } from './introduction.ts';
import { openRunningRelay } from './local-relay.ts';

export interface JoinedNode extends Introduced, Pick<RelayNode, 'close'> {
  readonly devices: Introduced['devices'] & RelayNode['devices'];
}

const PATIENCE = 60;
const AGAIN_MS = 500;

/** One of several relays. Its invitations are made by whichever of them keeps the house, so they are asked for over HTTP. */
export async function joinRelays(options: NodeOptions): Promise<JoinedNode> {
  const node = await startNode(options);
  const create: Introduced['devices']['invitations']['create'] = async ({ roles, scopes, label }) => {
    // The house may be moving at this moment.
    for (let left = PATIENCE; left > 0 && !(await node.isReady()); left -= 1) await passed(AGAIN_MS);
    const { ask } = await openRunningRelay(options.data);
    return ask('POST', '/api/pair/invite', { roles, scopes, label });
  };
  const { url, fingerprint, close } = node;
  return { url, fingerprint, close, devices: { ...node.devices, invitations: { create } } };
}
