import { setTimeout as passed } from 'node:timers/promises';
import { type NodeOptions, type RelayNode, startNode } from '@drawbridge/relay';
import type { Introduced } from './introduction.ts';
import { openRunningRelay } from './local-relay.ts';

export interface JoinedNode extends Introduced, Pick<RelayNode, 'close'> {
  readonly devices: Introduced['devices'] & RelayNode['devices'];
}

const RETRY = 60;
const AGAIN_MS = 500;

/** One of several relays. The leader makes invitations, so they are requested over HTTP. */
export async function joinRelays(options: NodeOptions): Promise<JoinedNode> {
  const node = await startNode(options);
  const create: Introduced['devices']['invitations']['create'] = async ({ roles, scopes, label }) => {
    // Leadership may be changing.
    for (let left = RETRY; left > 0 && !(await node.isReady()); left -= 1) await passed(AGAIN_MS);
    const { ask } = await openRunningRelay(options.data);
    return ask('POST', '/api/pair/invite', { roles, scopes, label });
  };
  const { url, fingerprint, close } = node;
  return { url, fingerprint, close, devices: { ...node.devices, invitations: { create } } };
}
