import { requiredFields } from '../wire/parse.suite.ts';
import { chat } from './protocol.ts';

/** Exactly these fields and the envelope's two are required. */
export function frameRequires(sample: unknown, fields: readonly string[]): void {
  requiredFields(chat, sample, ['type', 'protocol_version', ...fields]);
}
