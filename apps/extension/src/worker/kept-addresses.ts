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
 * Names of the relay, and private addresses opened by a person. Stored, because a restarted worker serves
 * tabs before the relay has sent its names.
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
