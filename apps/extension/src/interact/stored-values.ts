/** What must outlive the worker. Over `chrome.storage.session`: tab numbers mean nothing after the browser has gone. */
export interface StoredValues {
  /** Undefined when there is none. */
  readonly get: (key: string) => Promise<unknown>;
  /** Plain JSON. It is there when this resolves. */
  readonly set: (key: string, value: unknown) => Promise<void>;
  readonly remove: (key: string) => Promise<void>;
}

/** One change after another: two that read and write the same key at once would lose one. */
export function inTurn(): <Value>(work: () => Promise<Value>) => Promise<Value> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work, work);
    last = done.catch(() => undefined);
    return done;
  };
}
