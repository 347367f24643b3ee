import { chat } from '../../src/chat/protocol.ts';
import { requiredFields } from '../wire/parse.ts';

/** Exactly these fields and the envelope's two are required. */
export function frameRequires(sample: unknown, fields: readonly string[]): void {
  requiredFields(chat, sample, ['type', 'protocol_version', ...fields]);
}
