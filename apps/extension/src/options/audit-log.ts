import type { Pairing } from '../wire.ts';

const PAGE = 1_000;
const MOST_PAGES = 1_000;

/** Audit entries visible to this device, newest first: all for owners, else its own. */
export async function readAudit({ url, token }: Pairing, ask: typeof fetch): Promise<readonly unknown[]> {
  const entries: unknown[] = [];
  let before: number | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const query = new URLSearchParams({
      limit: String(PAGE),
      ...(before !== undefined && { before: String(before) }),
    });
    const response = await ask(`${url}/api/audit?${query}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    if (!response.ok) throw new Error(`The relay answered with status ${response.status}.`);
    const found = trustEntries(await response.json());
    entries.push(...found);
    before = found.at(-1)?.number;
    if (found.length < PAGE || before === undefined) break;
  }
  return entries;
}

interface Numbered {
  readonly number: number;
}

/** Not validated: the relay is ours. */
function trustEntries(answer: unknown): readonly Numbered[] {
  const { audit } = answer as { readonly audit?: readonly Numbered[] };
  return audit ?? [];
}
