/**
 * What two of our own ends say to each other beside items. A control frame is no JSON, so that no item can
 * be taken for one, whatever fields it has.
 */
export type ControlFrame =
  /** The first frame each way. Without a `connection_id`: a new connection, please. */
  | { readonly kind: 'hello'; readonly connection_id?: string; readonly received: number }
  /** So many items have come; also the heartbeat. */
  | { readonly kind: 'ack'; readonly received: number }
  /** The last frame: no reconnect will follow. */
  | { readonly kind: 'bye' };

const MARK = 'drawbridge:';
const MAX_CHARS = 1_024;

export const writeControl = (frame: ControlFrame): string => MARK + JSON.stringify(frame);

export const isControl = (text: string): boolean => text.startsWith(MARK);

/** Undefined when it is no control frame that we know: a newer peer's, or nonsense. */
export function parseControl(text: string): ControlFrame | undefined {
  if (!isControl(text) || text.length > MAX_CHARS) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text.slice(MARK.length));
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { kind, received, connection_id } = value as Readonly<Record<string, unknown>>;
  if (kind === 'bye') return { kind };
  if (typeof received !== 'number' || !Number.isSafeInteger(received) || received < 0) return undefined;
  if (kind === 'ack') return { kind, received };
  if (kind !== 'hello') return undefined;
  if (connection_id === undefined) return { kind, received };
  return typeof connection_id === 'string' ? { kind, received, connection_id } : undefined;
}
