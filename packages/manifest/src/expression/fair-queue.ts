/** First in, first out per key, round robin between keys. */
export class FairQueue<T> {
  readonly #queues = new Map<string, T[]>();

  add(queueKey: string, item: T): void {
    const waiting = this.#queues.get(queueKey);
    if (waiting === undefined) this.#queues.set(queueKey, [item]);
    else waiting.push(item);
  }

  take(): T | undefined {
    const next = this.#queues.entries().next().value;
    if (next === undefined) return undefined;
    const [queueKey, waiting] = next;
    const item = waiting.shift();
    // Setting the key again moves it to the end of the Map's order.
    this.#queues.delete(queueKey);
    if (waiting.length > 0) this.#queues.set(queueKey, waiting);
    return item;
  }

  takeAll(): T[] {
    const items = [...this.#queues.values()].flat();
    this.#queues.clear();
    return items;
  }

  get isEmpty(): boolean {
    return this.#queues.size === 0;
  }
}
