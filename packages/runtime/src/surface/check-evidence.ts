import type { SurfaceHost } from '../host.ts';

/** Evidence of a failed check, for repairing the map. Secrets are masked. */
export interface CheckEvidence {
  readonly check_id: string;
  readonly url: string;
  readonly observed_at: string;
  /** Expected and actual values. */
  readonly findings: Readonly<Record<string, unknown>>;
  /** By the names that the check declares. */
  readonly stored: Readonly<Record<string, unknown>>;
}

type Gather = (host: SurfaceHost) => Promise<unknown>;

const GATHER: ReadonlyMap<string, Gather> = new Map<string, Gather>([
  ['url', async (host) => host.surface().url],
  ['title', async (host) => host.surface().title],
  ['dom_snapshot', (host) => host.callPage('skeleton', [])],
  ['semantic_snapshot', (host) => host.callPage('snapshot', [{ scope: 'page', max_tokens: 4_000 }])],
  ['visible_text', (host) => host.callPage('read', [{ max_tokens: 2_000 }])],
  ['screenshot', async (host) => host.picture?.({ format: 'jpeg', quality: 60, maxWidth: 1_024 })],
]);

/** Records unavailable evidence as missing and stores the rest. */
export async function gatherEvidence(
  names: readonly string[],
  host: SurfaceHost,
): Promise<CheckEvidence['stored']> {
  const gathered = await Promise.all(
    names.map(async (name) => {
      const value = await GATHER.get(name)?.(host).catch(() => undefined);
      return [name, value ?? 'This host has none.'] as const;
    }),
  );
  return Object.fromEntries(gathered);
}
