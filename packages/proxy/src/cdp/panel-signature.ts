import type { KnownTarget } from '../adapter.ts';

export interface FoundPanel {
  readonly endpoint: string;
  /** Changes with each load of the page. */
  readonly target_id: string;
  readonly url: string;
  readonly title: string;
}

export interface SignedPanel extends FoundPanel {
  readonly signature: string;
}

/**
 * CHT-124: signature of a conversation. A webview keeps the id in its address while its window is open. After
 * a restart of the editor the ids differ: the only panel without a signature gets the only signature without
 * a panel.
 */
export function signedPanels(
  agent: string,
  found: readonly FoundPanel[],
  known: readonly KnownTarget[],
): readonly SignedPanel[] {
  const prefix = `cdp:${agent}:`;
  const used = new Set<string>();
  const signed = found.map((panel) => {
    const path = prefix + pathOf(panel.url);
    let signature = path;
    for (let twin = 2; used.has(signature); twin += 1) signature = `${path}#${twin}`;
    used.add(signature);
    return { ...panel, signature };
  });
  const signatures = new Set(
    known.map(({ signature }) => signature).filter((each) => each.startsWith(prefix)),
  );
  const lost = [...signatures].filter((signature) => !used.has(signature));
  const fresh = signed.filter(({ signature }) => !signatures.has(signature));
  const [only] = lost;
  if (only === undefined || lost.length > 1 || fresh.length !== 1) return signed;
  return signed.map((panel) => (panel === fresh[0] ? { ...panel, signature: only } : panel));
}

function pathOf(address: string): string {
  if (!URL.canParse(address)) return address;
  const { searchParams, protocol, host, pathname } = new URL(address);
  return searchParams.get('id') ?? `${protocol}//${host}${pathname}`;
}
