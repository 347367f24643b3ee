import { plainLine } from '@drawbridge/protocol';
import { maskShapesIn } from '@drawbridge/protocol/secrets';
import type { AuditEntry, JsonObject } from './records.ts';
import type { Audit } from './writes.ts';

const MAX_TEXT_CHARS = 300;

/**
 * An audit entry about words of people, pages and agents. Entries are kept for good, so texts are cut to one
 * line, and text that looks like a secret is masked. Empty details are left out.
 */
export function auditWrite(
  entry: Omit<AuditEntry, 'detail'>,
  detail: Readonly<Record<string, string | undefined>>,
): Audit {
  const kept: JsonObject = Object.fromEntries(
    Object.entries(maskShapesIn(detail)).flatMap(([name, text]) =>
      text ? [[name, plainLine(text, MAX_TEXT_CHARS)]] : [],
    ),
  );
  return { do: 'audit', entry: { ...entry, detail: kept } };
}
