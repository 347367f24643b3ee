import type { Session, TabSession } from '@drawbridge/protocol';

export interface ListedSession {
  readonly sessionId: string;
  readonly title: string;
  readonly domain: string | undefined;
}

export interface SessionGroup {
  /** Undefined if unknown. */
  readonly domain: string | undefined;
  readonly sessions: readonly ListedSession[];
}

/** Name of the relay's own agent; other agents' sessions are in the web app. */
const OWN_AGENT = 'drawbridge';

/** INT-144: a title begins with the domain, unless renamed. */
const domainIn = (title: string): string | undefined => /^([a-z0-9.-]+): /i.exec(title)?.[1];

const isWithin = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`);

/** Groups of the active site first; the newest of each first, in the relay's order. */
export function sessionGroups(
  sessions: Iterable<Session>,
  latest: TabSession | undefined,
  host: string | undefined,
): readonly SessionGroup[] {
  const listed = new Map<string, ListedSession>();
  for (const { session_id, agent_name, display_name = '' } of sessions) {
    if (agent_name !== OWN_AGENT) continue;
    listed.set(session_id, { sessionId: session_id, title: display_name, domain: domainIn(display_name) });
  }
  if (latest !== undefined) {
    const { sessionId, title, domain } = latest;
    listed.set(sessionId, { sessionId, title: listed.get(sessionId)?.title ?? title, domain });
  }
  const isHere = ({ domain }: ListedSession): boolean =>
    domain !== undefined && host !== undefined && isWithin(host, domain);
  const groups = Map.groupBy(listed.values(), ({ domain }) => domain);
  return [...groups]
    .map(([domain, members]) => ({ domain, sessions: members }))
    .toSorted((a, b) => rankOf(a) - rankOf(b) || (a.domain ?? '').localeCompare(b.domain ?? ''));

  function rankOf({ domain, sessions: members }: SessionGroup): number {
    if (members.some(isHere)) return 0;
    return domain === undefined ? 2 : 1;
  }
}
