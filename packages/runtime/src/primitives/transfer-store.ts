import { RecentMap } from '@drawbridge/base';
import { BridgeError } from '@drawbridge/protocol';
import type { InputOf, OutputOf } from '@drawbridge/protocol/primitives';

export type Transfer = OutputOf<'transfer.read'>;

/** Values carried from one page to another, in memory only. */
export type TransferStore = ReturnType<typeof createTransferStore>;

interface Entry {
  readonly transfer: Transfer;
  readonly origins: readonly string[];
  readonly until: number;
}

const TTL_SECONDS = 3_600;
const MAX_ENTRIES = 100;
const MOST_CHARS = 1_000_000;

export function createTransferStore(now: () => number) {
  const kept = new RecentMap<string, Entry>(MAX_ENTRIES);

  const entryOf = (label: string): Entry | undefined => {
    const found = kept.get(label);
    if (found === undefined || found.until > now()) return found;
    kept.delete(label);
    return undefined;
  };

  return {
    read: (label: string): Transfer | undefined => entryOf(label)?.transfer,
    /** Origins of the pages where it was written; none for an unknown label. */
    originsOf: (label: string): readonly string[] => entryOf(label)?.origins ?? [],
    labels: (): readonly string[] => [...kept.keys()],
    /** `origin` is the page's: an agent with chosen origins uses only what was written there (BRG-202). */
    write(written: InputOf<'transfer.write'>, origin: string): Transfer {
      const { label, format = 'text/plain', value, metadata, ttl_seconds = TTL_SECONDS } = written;
      const earlier = written.mode === 'append' ? entryOf(label) : undefined;
      const before = earlier?.transfer.value ?? '';
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
      const origins = [...new Set([...(earlier?.origins ?? []), origin])];
      kept.set(label, { transfer, origins, until: now() + ttl_seconds * 1_000 });
      return transfer;
    },
    /** Returns how many were removed. */
    clear: (labels: readonly string[]): number => labels.filter((each) => kept.delete(each)).length,
  };
}
