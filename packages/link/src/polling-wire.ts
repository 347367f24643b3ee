/** Bodies of HTTP polling, besides the items themselves. */

export interface PostAnswer {
  readonly connection_id: string;
  /** The number of received items of the client's stream. */
  readonly received: number;
}

export interface PollAnswer {
  /** Items after the requested number, in order. */
  readonly items: readonly unknown[];
  /** The number of the last one here: the next `after`. */
  readonly last: number;
  /** The server has closed the link; these are the last items. */
  readonly closed: boolean;
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

export function parsePostAnswer(text: string): PostAnswer | undefined {
  const { connection_id, received } = fieldsOf(text);
  return typeof connection_id === 'string' && isCount(received) ? { connection_id, received } : undefined;
}

export function parsePollAnswer(text: string): PollAnswer | undefined {
  const { items, last, closed } = fieldsOf(text);
  return Array.isArray(items) && isCount(last) ? { items, last, closed: closed === true } : undefined;
}

export interface PostedItems {
  readonly connection_id?: string;
  readonly after?: number;
  readonly items: readonly unknown[];
  readonly close: boolean;
}

/** A body is one item, a list of items, or an object with `items`. Undefined otherwise. */
export function parsePost(text: string): PostedItems | undefined {
  if (text === '') return { items: [], close: false };
  const value = jsonOf(text);
  if (Array.isArray(value)) return { items: value, close: false };
  if (typeof value !== 'object' || value === null) return undefined;
  if (Object.hasOwn(value, 'type')) return { items: [value], close: false };
  const { connection_id, after, items = [], close } = value as Readonly<Record<string, unknown>>;
  if (!Array.isArray(items)) return undefined;
  if (connection_id !== undefined && typeof connection_id !== 'string') return undefined;
  if (after !== undefined && !isCount(after)) return undefined;
  return {
    items,
    close: close === true,
    ...(connection_id === undefined ? {} : { connection_id }),
    ...(after === undefined ? {} : { after }),
  };
}

function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  const value = jsonOf(text);
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
