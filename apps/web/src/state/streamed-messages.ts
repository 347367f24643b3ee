import type { FrameOf } from '@drawbridge/link/chat';
import type { MessagePart } from '@drawbridge/protocol';
import type { MessageEntry } from '@drawbridge/ui/model';

interface Block {
  readonly index: number;
  readonly type: string;
  readonly text: string;
}

/** CHT-351: a message that a newer agent sends in parts. The stored message replaces it. */
interface StreamedMessage {
  readonly role: string;
  readonly at: number;
  readonly blocks: readonly Block[];
}

/** By message id, oldest first. */
export type Streamed = ReadonlyMap<string, StreamedMessage>;

const textOf = ({ blocks }: StreamedMessage): string => blocks.map(({ text }) => text).join('\n\n');

/** The relay has checked the order. A block whose start was sent before this connection is not shown. */
export function withDelta(streamed: Streamed, delta: FrameOf<'message_delta'>): Streamed {
  const { message_id, role = 'assistant', block_index: index, block_type: type = 'text' } = delta;
  const { op, append = '', server_ts = '' } = delta;
  const known = streamed.get(message_id);
  const message = known ?? { role, at: Date.parse(server_ts) || 0, blocks: [] };
  if (op === 'block_open') {
    // An agent's proxy that restarted opens its blocks again.
    const others = message.blocks.filter((block) => block.index !== index);
    const blocks = [...others, { index, type, text: '' }].toSorted((a, b) => a.index - b.index);
    return new Map(streamed).set(message_id, { ...message, blocks });
  }
  if (op === 'block_close' || known === undefined) return streamed;
  const blocks = known.blocks.map((block) =>
    block.index === index ? { ...block, text: block.text + append } : block,
  );
  return new Map(streamed).set(message_id, { ...known, blocks });
}

/** Drops what a stored message replaces: the message of its id, or one of the same text. */
export function withoutStored(
  streamed: Streamed,
  { message_id, role, content }: FrameOf<'message_event'>['message'],
): Streamed {
  if (streamed.size === 0) return streamed;
  const replaces = (id: string, message: StreamedMessage): boolean =>
    id === message_id || (role !== 'user' && textOf(message).trim() === content.trim());
  return new Map([...streamed].filter(([id, message]) => !replaces(id, message)));
}

const partOf = ({ type, text }: Block): MessagePart =>
  type === 'thinking' ? { content: text, details: { kind: 'thought' } } : { content: text };

export const streamedEntries = (streamed: Streamed): readonly MessageEntry[] =>
  [...streamed]
    .filter(([, message]) => textOf(message).trim() !== '')
    .map(([id, message]) => {
      const { role, at, blocks } = message;
      const parts = blocks.filter(({ text }) => text !== '').map(partOf);
      return { kind: 'message', id, role, at, content: textOf(message), parts, attachments: [] };
    });
