import { setTimeout as passed } from 'node:timers/promises';
import { type NodeOptions, type RelayNode, startNode } from '@drawbridge/relay';
import type { Introduced } from './introduction.ts';
import { openRunningRelay, RelayRefusal } from './local-relay.ts';
import { StrangeRelay } from './pinned-connection.ts';

export interface JoinedNode extends Introduced, Pick<RelayNode, 'close'> {
  readonly devices: Introduced['devices'] & RelayNode['devices'];
}

const AGAIN_MS = 250;

/** One of several relays. The leader makes invitations, so they are requested over HTTP. */
export async function joinRelays(options: NodeOptions): Promise<JoinedNode> {
  const node = await startNode(options);
  let isClosed = false;
  const invite: Introduced['devices']['invitations']['create'] = async ({ roles, scopes, label }) => {
    const { call } = await openRunningRelay(options.data);
    return call('POST /api/pair/invite', { body: { roles, scopes, label } });
  };
  /** Retries until a leader answers: the lease may still be that of a dead one. */
  const create: typeof invite = async (order) => {
    for (;;) {
      try {
        return await invite(order);
      } catch (error) {
        if (isClosed || isFinal(error)) throw error;
      }
      await passed(AGAIN_MS);
    }
  };
  const close = (): Promise<void> => {
    isClosed = true;
    return node.close();
  };
  const { url, fingerprint } = node;
  return { url, fingerprint, close, devices: { ...node.devices, invitations: { create } } };
}

const isFinal = (error: unknown): boolean =>
  error instanceof StrangeRelay || (error instanceof RelayRefusal && error.status < 500);
