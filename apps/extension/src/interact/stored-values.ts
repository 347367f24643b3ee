/**
 * Values that outlive the worker, in `chrome.storage.session`: tab ids are invalid after a browser restart.
 */
export interface StoredValues {
  /** Undefined when there is none. */
  readonly get: (key: string) => Promise<unknown>;
  /** Plain JSON. Durable once this resolves. */
  readonly set: (key: string, value: unknown) => Promise<void>;
  readonly remove: (key: string) => Promise<void>;
}
