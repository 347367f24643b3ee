export interface Deferred<Value> {
  readonly promise: Promise<Value>;
  readonly resolve: (value: Value) => void;
  readonly reject: (error: Error) => void;
}

/** Handles its own rejection, as Node would exit on an unhandled one. */
export function createDeferred<Value = void>(): Deferred<Value> {
  const deferred = Promise.withResolvers<Value>();
  deferred.promise.catch(() => {});
  return deferred;
}
