/** First come, first served within a lane; lanes take turns. */
export class FairQueue<T> {
  readonly #lanes = new Map<string, T[]>();

  add(lane: string, item: T): void {
    const waiting = this.#lanes.get(lane);
    if (waiting === undefined) this.#lanes.set(lane, [item]);
    else waiting.push(item);
  }

  take(): T | undefined {
    const next = this.#lanes.entries().next().value;
    if (next === undefined) return undefined;
    const [lane, waiting] = next;
    const item = waiting.shift();
    // Put back at the end: a Map gives its keys in the order in which they were set.
    this.#lanes.delete(lane);
    if (waiting.length > 0) this.#lanes.set(lane, waiting);
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
