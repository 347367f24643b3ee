import { chat } from '../../src/chat/protocol.ts';
import { requiredFields } from '../wire/parse.ts';

/** Of all that the frame carries, exactly these fields and the envelope's two cannot be left out. */
export function frameRequires(sample: unknown, fields: readonly string[]): void {
  requiredFields(chat, sample, ['type', 'protocol_version', ...fields]);
}
