import type { Asker } from '@drawbridge/protocol';

/** Addresses that a person gave a task to start at: its calls may go there without a prompt (BRG-175). */
export type NamedAddresses = ReturnType<typeof createNamedAddresses>;

export function createNamedAddresses() {
  const origins = new Map<string, string>();
  return {
    /** Valid for one call. Returns a function that ends it. */
    add(call_id: string, url: string): () => void {
      origins.set(call_id, URL.parse(url)?.origin ?? '');
      return () => origins.delete(call_id);
    },
    answering: (asker: Asker): Asker => ({
      async ask(question, withdrawn) {
        const { kind, call_id, origin, call_hash } = question;
        if (kind !== 'address' || origins.get(call_id) !== origin) return asker.ask(question, withdrawn);
        return { decision: 'once', call_hash, by: 'the person who sent the task' };
      },
    }),
  };
}
