import type { Asker } from '@drawbridge/protocol';

/** Addresses that a person gave a task to begin at: nobody is asked whether its calls may go there (BRG-175). */
export interface NamedAddresses {
  /** Holds for one call. Returns what ends it. */
  readonly add: (call_id: string, url: string) => () => void;
  readonly answering: (asker: Asker) => Asker;
}

export function createNamedAddresses(): NamedAddresses {
  const origins = new Map<string, string>();
  return {
    add(call_id, url) {
      origins.set(call_id, URL.parse(url)?.origin ?? '');
      return () => origins.delete(call_id);
    },
    answering: (asker) => ({
      async ask(question, withdrawn) {
        const { kind, call_id, origin, call_hash } = question;
        if (kind !== 'address' || origins.get(call_id) !== origin) return asker.ask(question, withdrawn);
        return { decision: 'once', call_hash, by: 'the person who sent the task' };
      },
    }),
  };
}
