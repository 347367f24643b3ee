import type { LinkState } from '@drawbridge/link';
import type { Pairing, RelayState } from '../wire.ts';
import { probeRelay } from './pairing.ts';

/** How the relay is, from the lines of lent tabs, or from asking it when nothing is lent. */
export interface RelayWatch {
  readonly state: () => RelayState;
  /** Asks again: somebody looks, or a line was lost. */
  readonly probe: () => Promise<void>;
  /** As it was when it was asked last. */
  readonly isThere: () => boolean;
}

export function watchRelay(
  pairing: () => Pairing | null,
  lines: () => readonly LinkState[],
  onChange: () => void,
): RelayWatch {
  let known: { readonly url: string; readonly found: Awaited<ReturnType<typeof probeRelay>> } | undefined;
  let probing: Promise<void> | undefined;

  const ask = async (): Promise<void> => {
    const paired = pairing();
    if (paired === null) return;
    known = { url: paired.url, found: await probeRelay(paired) };
    onChange();
  };

  return {
    state() {
      const paired = pairing();
      if (paired === null) return { kind: 'unpaired' };
      const { url, name: device } = paired;
      const found = known?.url === url ? known.found : undefined;
      const states = lines();
      if (states.some(({ kind }) => kind === 'open')) return { kind: 'online', url, device };
      if (found === 'refused') return { kind: 'refused', url, why: REFUSED };
      const away = states.find((state) => state.kind === 'waiting');
      if (away !== undefined) return { kind: 'offline', url, device, why: away.error.message };
      if (found === undefined || states.length > 0) return { kind: 'connecting', url, device };
      return found === 'online'
        ? { kind: 'online', url, device }
        : { kind: 'offline', url, device, why: AWAY };
    },
    isThere: () => known?.found === 'online',
    probe() {
      probing ??= ask().finally(() => {
        probing = undefined;
      });
      return probing;
    },
  };
}

const REFUSED = 'The relay does not know this device any more. Pair it again.';
const AWAY = 'The relay does not answer. Start it, or check the network.';
