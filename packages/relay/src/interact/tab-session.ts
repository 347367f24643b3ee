import type { InteractRequest, TabSession } from '@drawbridge/protocol';
import { timeText } from '../core/frames.ts';
import type { TabSessionRecord } from '../ledger/records.ts';
import { rootDomainOf, titleOf } from './domain.ts';

export interface TabSessionStart {
  readonly session_id: string;
  readonly device_id: string;
  /** Title of an existing session. */
  readonly title?: string;
  readonly now: number;
}

/** INT-144, INT-145, INT-152 */
export function startedTabSession(request: InteractRequest, start: TabSessionStart): TabSessionRecord {
  const { session_id, device_id, now } = start;
  const domain = rootDomainOf(request.url) ?? request.domain ?? '';
  const title = start.title ?? request.title ?? titleOf(domain, request.query);
  return {
    session_id,
    device_id,
    domain: domain.toWellFormed(),
    url: request.url.toWellFormed(),
    title: title.toWellFormed(),
    is_renamed: false,
    tab_id: request.tabId ?? null,
    metadata: { firstUrl: request.url.toWellFormed() },
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
  const { firstUrl = session.url } = session.metadata;
  const isFirstMove = domain !== session.domain && session.metadata['initialUrl'] === undefined;
  const metadata = isFirstMove
    ? { ...session.metadata, initialUrl: firstUrl, initialDomain: session.domain }
    : session.metadata;
  return {
    ...session,
    domain: domain.toWellFormed(),
    url: request.url.toWellFormed(),
    tab_id: request.tabId ?? session.tab_id,
    metadata,
    updated_at: now,
  };
}

/** INT-55 */
export function shownTabSession(session: TabSessionRecord): TabSession {
  const { session_id, title, domain, url, is_renamed, tab_id, metadata } = session;
  const { initialUrl, initialDomain } = metadata;
  const began = {
    ...(typeof initialUrl === 'string' && { initialUrl }),
    ...(typeof initialDomain === 'string' && { initialDomain }),
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
  };
}
