import type { LinkState } from '@drawbridge/link';
import type { Pairing, RelayState } from '../wire.ts';
import { probeRelay } from './pairing.ts';
import type { WorkerWords } from './words/en.ts';

/** State of the relay, from the connections of lent tabs, or by a probe if none is lent. */
export function watchRelay(
  pairing: () => Pairing | null,
  lines: () => readonly LinkState[],
  onChange: () => void,
  words: () => WorkerWords,
) {
  let known: { readonly url: string; readonly found: Awaited<ReturnType<typeof probeRelay>> } | undefined;
  let probing: Promise<void> | undefined;

  const ask = async (): Promise<void> => {
    const paired = pairing();
    if (paired === null) return;
    known = { url: paired.url, found: await probeRelay(paired) };
    onChange();
  };

  return {
    state(): RelayState {
      const paired = pairing();
      if (paired === null) return { kind: 'unpaired' };
      const { why } = words();
      const { url, name: device } = paired;
      const found = known?.url === url ? known.found : undefined;
      const states = lines();
      if (states.some(({ kind }) => kind === 'open')) return { kind: 'online', url, device };
      if (found === 'refused') return { kind: 'refused', url, why: why.relay_refused() };
      const offline: RelayState = { kind: 'offline', url, device, why: why.relay_away(url) };
      if (states.some(({ kind }) => kind === 'waiting')) return offline;
      if (found === undefined || states.length > 0) return { kind: 'connecting', url, device };
      return found === 'online' ? { kind: 'online', url, device } : offline;
    },
    /** Result of the last probe. */
    isThere: (): boolean => known?.found === 'online',
    /** Probes again: a page was opened, or a connection lost. */
    probe(): Promise<void> {
      probing ??= ask().finally(() => {
        probing = undefined;
      });
      return probing;
    },
  };
}
