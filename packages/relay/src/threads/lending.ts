import type { Json, Ledger } from '@drawbridge/ledger';
import { trustStored } from '../core/frames.ts';

/** Whether a launched agent may use the lent tabs, as a person decided. */
export interface Lending {
  readonly lent: boolean;
  /** Every lent tab without. */
  readonly origins?: readonly string[];
  /** Device of its token. */
  readonly device_id?: string;
}

const LENT = 'browser_lent:';

/** Decisions by session. Without one the agent's first call asks (CHT-361). */
export function createLendings(
  ledger: Pick<Ledger, 'commit' | 'settingsUnder'>,
  onError: (error: unknown) => void,
) {
  const lendings = new Map<string, Lending>();
  return {
    get: (session_id: string): Lending | undefined => lendings.get(session_id),
    set(session_id: string, lending: Lending | undefined): void {
      if (lending === undefined && !lendings.has(session_id)) return;
      if (lending === undefined) lendings.delete(session_id);
      else lendings.set(session_id, lending);
      const value = lending === undefined ? null : storedOf(lending);
      ledger.commit([{ do: 'put_setting', key: LENT + session_id, value }]).catch(onError);
    },
    sessions: (): readonly string[] => [...lendings.keys()],
    async restore(): Promise<void> {
      for (const { key, value } of await ledger.settingsUnder(LENT)) {
        const lending = parseLending(value);
        if (lending !== undefined) lendings.set(key.slice(LENT.length), lending);
      }
    },
  };
}

const storedOf = ({ lent, origins, device_id }: Lending): Json => ({
  lent,
  ...(origins && { origins: [...origins] }),
  ...(device_id !== undefined && { device_id }),
});

/** Earlier relays stored only what was lent. */
const parseLending = (value: Json): Lending | undefined =>
  typeof value === 'object' && value !== null
    ? { lent: true, ...trustStored<Partial<Lending>>(value) }
    : undefined;
