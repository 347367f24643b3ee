import type { Facts } from '@drawbridge/brain';
import type { TabSessionRecord } from '@drawbridge/ledger';
import type { InteractRequest, TabSession } from '@drawbridge/protocol';
import { timeText } from '../core/frames.ts';
import { rootDomainOf, titleOf } from './domain.ts';
import { asJson } from './task-part.ts';

/** The page and the first words of a session, of a call or of `session/init`. */
export type SessionPage = Pick<InteractRequest, 'domain' | 'title' | 'tabId'> & {
  readonly url: string;
  readonly query?: string;
};

export interface TabSessionStart {
  readonly session_id: string;
  readonly device_id: string;
  /** Title of an existing session. */
  readonly title?: string;
  readonly now: number;
}

/** INT-144, INT-145, INT-152 */
export function startedTabSession(request: SessionPage, start: TabSessionStart): TabSessionRecord {
  const { session_id, device_id, now } = start;
  const { query } = request;
  const domain = rootDomainOf(request.url) ?? request.domain ?? '';
  const title = start.title ?? request.title ?? titleOf(domain, query ?? NEW_SESSION);
  return {
    session_id,
    device_id,
    domain: domain.toWellFormed(),
    url: request.url.toWellFormed(),
    title: title.toWellFormed(),
    is_renamed: false,
    tab_id: request.tabId ?? null,
    metadata: {
      firstUrl: request.url.toWellFormed(),
      ...(query === undefined ? { isUntitled: true } : { initialQuery: query.toWellFormed() }),
    },
    created_at: now,
    updated_at: now,
  };
}

/** INT-148 to INT-150: updates the current page; the start page and the title stay. */
export function movedTabSession(
  session: TabSessionRecord,
  request: InteractRequest,
  now: number,
): TabSessionRecord {
  const domain = rootDomainOf(request.url) ?? request.domain ?? session.domain;
  // INT-308: work in an archived session makes it active again; the first task names a session.
  const { isUntitled = false, archivedAt: _, ...rest } = session.metadata;
  const { firstUrl = session.url } = rest;
  const isFirstMove = session.url !== '' && domain !== session.domain && rest['initialUrl'] === undefined;
  const metadata = {
    ...rest,
    ...(isUntitled === true && { initialQuery: request.query.toWellFormed() }),
    ...(session.url === '' && { firstUrl: request.url.toWellFormed() }),
    ...(isFirstMove && { initialUrl: firstUrl, initialDomain: session.domain }),
  };
  const title = isUntitled === true && !session.is_renamed ? titleOf(domain, request.query) : session.title;
  return {
    ...session,
    title: title.toWellFormed(),
    domain: domain.toWellFormed(),
    url: request.taskType === 'chat_only' ? session.url : request.url.toWellFormed(),
    tab_id: request.tabId ?? session.tab_id,
    metadata,
    updated_at: now,
  };
}

/** INT-320: facts that tasks of the session have exported. */
export function factsIn(session: TabSessionRecord | undefined): Facts {
  return (session?.metadata['facts'] ?? {}) as Facts;
}

export const withFacts = (session: TabSessionRecord, facts: Facts | undefined): TabSessionRecord =>
  facts === undefined ? session : { ...session, metadata: { ...session.metadata, facts: asJson(facts) } };

export const isArchived = ({ metadata }: Pick<TabSessionRecord, 'metadata'>): boolean =>
  metadata['archivedAt'] !== undefined;

const NEW_SESSION = 'New session';

/** INT-55 */
export function shownTabSession(session: TabSessionRecord): TabSession {
  const { session_id, title, domain, url, is_renamed, tab_id, metadata } = session;
  const { initialUrl, initialDomain, initialQuery } = metadata;
  const began = {
    ...(typeof initialUrl === 'string' && { initialUrl }),
    ...(typeof initialDomain === 'string' && { initialDomain }),
    ...(typeof initialQuery === 'string' && { initialQuery }),
  };
  return {
    sessionId: session_id,
    title,
    domain,
    url,
    isRenamed: is_renamed,
    ...(tab_id !== null && { tabId: tab_id }),
    metadata: began,
    createdAt: timeText(session.created_at),
    updatedAt: timeText(session.updated_at),
    status: isArchived(session) ? 'archived' : 'active',
  };
}
