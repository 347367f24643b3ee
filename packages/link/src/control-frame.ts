/** Frames between our own ends besides items. A control frame is not JSON, so no item can be mistaken for one. */
export type ControlFrame =
  /** The first frame each way. Without a `connection_id` it asks for a new connection. */
  | { readonly kind: 'hello'; readonly connection_id?: string; readonly received: number }
  /** The number of received items; also the heartbeat. */
  | { readonly kind: 'ack'; readonly received: number }
  /** The last frame: no reconnect follows. */
  | { readonly kind: 'bye' };

const MARK = 'drawbridge:';
const MAX_CHARS = 1_024;

export const writeControl = (frame: ControlFrame): string => MARK + JSON.stringify(frame);

export const isControl = (text: string): boolean => text.startsWith(MARK);

/** Undefined for anything else: a newer peer's frame, or invalid text. */
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
