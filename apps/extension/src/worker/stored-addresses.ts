import {
  type ControlPlane,
  createControlPlane,
  createLocalNetwork,
  type LocalNetwork,
} from '@drawbridge/runtime';
import { STORED } from '../wire.ts';
import { openStoredValue } from './stored-value.ts';
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
    openStoredValue('local', STORED.relayHosts, parseTexts),
    openStoredValue('session', 'local_origins', parseTexts),
  ]);
  const controlPlane = createControlPlane(hosts.get());
  controlPlane.onChange(() => void hosts.set(controlPlane.hosts()));
  const localNetwork = createLocalNetwork(origins.get(), (opened) => void origins.set(opened));
  return { controlPlane, localNetwork };
}
