import { RecentMap } from '@drawbridge/base';
import { BridgeError } from '@drawbridge/protocol';
import type { InputOf, OutputOf } from '@drawbridge/protocol/primitives';

export type Transfer = OutputOf<'transfer.read'>;

/** Values carried from one page to another, in memory only. */
export interface TransferStore {
  readonly write: (transfer: InputOf<'transfer.write'>) => Transfer;
  readonly read: (label: string) => Transfer | undefined;
  /** Returns how many were removed. */
  readonly clear: (label?: string) => number;
}

const TTL_SECONDS = 3_600;
const MAX_ENTRIES = 100;
const MOST_CHARS = 1_000_000;

export function createTransferStore(now: () => number): TransferStore {
  const kept = new RecentMap<string, { readonly transfer: Transfer; readonly until: number }>(MAX_ENTRIES);

  const read = (label: string): Transfer | undefined => {
    const found = kept.get(label);
    if (found === undefined || found.until > now()) return found?.transfer;
    kept.delete(label);
    return undefined;
  };

  return {
    read,
    write({ label, format = 'text/plain', value, metadata, ttl_seconds = TTL_SECONDS, mode = 'replace' }) {
      const before = mode === 'append' ? (read(label)?.value ?? '') : '';
      const joint = before === '' ? '' : '\n';
      const transfer: Transfer = {
        label,
        format,
        value: before + joint + value,
        ...(metadata && { metadata }),
      };
      if (transfer.value.length > MOST_CHARS) {
        const message = `A transfer holds ${MOST_CHARS} characters. Clear ${label}, or write less.`;
        throw new BridgeError('invalid_input', message, {
          evidence: { reason: 'transfer_too_large', label },
        });
      }
      kept.set(label, { transfer, until: now() + ttl_seconds * 1_000 });
      return transfer;
    },
    clear(label) {
      const labels = label === undefined ? [...kept.keys()] : [label];
      return labels.filter((each) => kept.delete(each)).length;
    },
  };
}
