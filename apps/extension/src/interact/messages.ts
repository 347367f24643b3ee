import { BridgeError, type ChatMessage, newMessage } from '@drawbridge/protocol';
import { isObject } from '@drawbridge/protocol/manifest';

const ROLES: ReadonlySet<unknown> = new Set(['user', 'assistant', 'system']);

/** INT-60: the default role is the assistant's. Undefined for anything but a message. */
export function readMessage(sessionId: string, value: unknown): ChatMessage | undefined {
  if (!isObject(value)) return undefined;
  const said = Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null));
  const role = ROLES.has(said['role']) ? said['role'] : 'assistant';
  try {
    return newMessage.read({ type: 'new_message', sessionId, message: { ...said, role } }).message;
  } catch (error) {
    if (error instanceof BridgeError) return undefined;
    throw error;
  }
}

/** INT-172: one message per id, the latest version, by sequence number. */
export function mergeMessages(
  had: readonly ChatMessage[],
  came: readonly ChatMessage[],
): readonly ChatMessage[] {
  const byId = new Map([...had, ...came].map((message) => [message.messageId, message]));
  return [...byId.values()].sort(
    (one, other) => placeOf(one) - placeOf(other) || timeOf(one) - timeOf(other) || 0,
  );
}

/** Without a number it is the newest. */
const placeOf = ({ sequenceNumber = Number.MAX_SAFE_INTEGER }: ChatMessage): number => sequenceNumber;
const timeOf = ({ timestamp }: ChatMessage): number => Date.parse(timestamp);
