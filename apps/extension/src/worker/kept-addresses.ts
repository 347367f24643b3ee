import {
  type ControlPlane,
  createControlPlane,
  createLocalNetwork,
  type LocalNetwork,
} from '@drawbridge/runtime';
import { STORED } from '../wire.ts';
import { openKept } from './kept.ts';
import { parseTexts } from './stored-values.ts';

/**
 * The names of the relay, and the private addresses that a person opened. Both are stored: a tab is served again before
 * the relay has sent its names to a worker that was stopped.
 */
export async function openAddresses(): Promise<{
  readonly controlPlane: ControlPlane;
  readonly localNetwork: LocalNetwork;
}> {
  const [hosts, origins] = await Promise.all([
    openKept('local', STORED.relayHosts, parseTexts),
    openKept('session', 'local_origins', parseTexts),
  ]);
  const controlPlane = createControlPlane(hosts.get());
  controlPlane.onChange(() => void hosts.set(controlPlane.hosts()));
  const localNetwork = createLocalNetwork(origins.get(), (opened) => void origins.set(opened));
  return { controlPlane, localNetwork };
}
