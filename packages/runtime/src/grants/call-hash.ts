/** Binds an approval to these arguments of this action, on this page as it was shown. */
export interface ExactCall {
  readonly runtime_id: string;
  readonly call_id: string;
  readonly origin: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The content that the page would send, where a person is asked about it. */
  readonly content?: unknown;
}

export async function callHash(call: ExactCall): Promise<string> {
  const { runtime_id, call_id, origin, name, content } = call;
  const text = canonical([runtime_id, call_id, origin, name, call.arguments, content]);
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** JSON with sorted keys, so that equal values have equal texts. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, field]) => `${JSON.stringify(key)}:${canonical(field)}`);
  return `{${fields.join(',')}}`;
}
