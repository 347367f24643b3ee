/** First in, first out per key, round robin between keys. */
export class FairQueue<T> {
  readonly #lanes = new Map<string, T[]>();

  add(queueKey: string, item: T): void {
    const waiting = this.#lanes.get(queueKey);
    if (waiting === undefined) this.#lanes.set(queueKey, [item]);
    else waiting.push(item);
  }

  take(): T | undefined {
    const next = this.#lanes.entries().next().value;
    if (next === undefined) return undefined;
    const [queueKey, waiting] = next;
    const item = waiting.shift();
    // Setting the key again moves it to the end of the Map's order.
    this.#lanes.delete(queueKey);
    if (waiting.length > 0) this.#lanes.set(queueKey, waiting);
    return item;
  }

  takeAll(): T[] {
    const items = [...this.#lanes.values()].flat();
    this.#lanes.clear();
    return items;
  }

  get isEmpty(): boolean {
    return this.#lanes.size === 0;
  }
}
