import { createMutex, RecentMap } from '@drawbridge/base';
import type { Ledger, TabSessionRecord } from '@drawbridge/ledger';
import { sessionRename } from '@drawbridge/protocol';
import { type Route, TAB_SESSIONS } from '@drawbridge/protocol/http';
import type { MiddlewareHandler } from 'hono';
import type { CoreClock, Identity } from '../core/ports.ts';
import type { FailureLimiter } from '../devices/failure-limiter.ts';
import { maySeeSession } from '../server/guard/permission.ts';
import type { RelayEnv } from '../server/relay-env.ts';
import { serveOwnRoutes } from '../server/serve-routes.ts';
import { type AgentSessions, BRAIN_DEVICE } from './agent-sessions.ts';
import { rootDomainOf } from './domain.ts';
import type { Interact } from './interact.ts';
import { InteractError } from './interact-error.ts';
import { FORBIDDEN, limitOf, NO_SESSION, parsed, refuse, TOO_MANY } from './interact-refusal.ts';
import { listMessages, messageAnswer } from './message-list.ts';
import {
  parseArchive,
  parseMessagePart,
  parseReportFormat,
  parseResolution,
  parseSessionInit,
  parseSessionPart,
  type SessionInit,
} from './session-bodies.ts';
import { isArchived, shownTabSession, startedTabSession } from './tab-session.ts';
import { taskReport } from './task-report.ts';

export interface SessionRoutesOptions {
  readonly interact: Pick<Interact, 'resume'>;
  readonly sessions: Pick<AgentSessions, 'open'>;
  readonly ledger: Ledger;
  readonly clock: CoreClock;
  /** INT-289 */
  readonly calls: FailureLimiter;
  readonly signedIn: MiddlewareHandler<RelayEnv>;
}

/** Sessions of a device that the list counts. */
const MOST_SESSIONS = 1_000;
const COUNTED_SESSIONS = 1_000;

/** Contract 4: `/api/session…` */
export function sessionRoutes({ interact, sessions, ledger, clock, calls, signedIn }: SessionRoutesOptions) {
  /** Counts by session, valid while the session has the same head. */
  const counts = new RecentMap<string, { readonly head: number; readonly count: number }>(COUNTED_SESSIONS);

  /** INT-73: a session of another device looks like a missing one. */
  const isSeen = async (identity: Identity, session_id: string): Promise<boolean> => {
    const [tab, session] = await Promise.all([ledger.tabSession(session_id), ledger.session(session_id)]);
    if (session?.proxy_device_id !== BRAIN_DEVICE) return false;
    return tab?.device_id === identity.device_id || maySeeSession(identity, session_id, BRAIN_DEVICE);
  };

  const countOf = async (session_id: string): Promise<number> => {
    const { head = 0 } = (await ledger.session(session_id)) ?? {};
    const known = counts.get(session_id);
    if (known?.head === head) return known.count;
    const { length: count } = await listMessages(ledger, session_id);
    counts.set(session_id, { head, count });
    return count;
  };
  const shown = async (session: TabSessionRecord) => ({
    ...shownTabSession(session),
    messageCount: await countOf(session.session_id),
  });

  /** Serializes creations: of two devices that name the same id, one gets it. */
  const inOrder = createMutex();

  /** INT-307: false when the session was there already. */
  const init = async ({ device_id }: Identity, { sessionId, page }: SessionInit): Promise<boolean> => {
    const [tab, session] = await Promise.all([ledger.tabSession(sessionId), ledger.session(sessionId)]);
    if (tab !== undefined || session !== undefined) {
      if (tab?.device_id !== device_id) throw FORBIDDEN;
      if (isArchived(tab)) throw ARCHIVED;
      return false;
    }
    const put = startedTabSession(page, { session_id: sessionId, device_id, now: clock.now() });
    await sessions.open({ session_id: sessionId, title: put.title });
    await ledger.commit([{ do: 'put_tab_session', session: put }]);
    return true;
  };

  const stepsOf = ({ bytes }: Pick<Route, 'bytes'>) =>
    bytes === undefined ? [signedIn] : [signedIn, limitOf(bytes, tooLarge(bytes))];

  return serveOwnRoutes(TAB_SESSIONS, stepsOf, {
    'GET /api/session': async ({ context, identity }) => {
      const part = parseSessionPart((name) => context.req.query(name));
      const all = await ledger.tabSessionsOf(identity.device_id, MOST_SESSIONS);
      const asked = all.filter((each) => {
        const archived = isArchived(each);
        if (part.status === 'archived') return archived;
        return part.isWithArchived || !archived;
      });
      const page = asked.slice(part.offset, part.offset + part.limit);
      const { limit, offset } = part;
      const pagination = { total: asked.length, limit, offset, hasMore: offset + limit < asked.length };
      return context.json({
        success: true,
        data: { sessions: await Promise.all(page.map(shown)), pagination },
      });
    },
    'POST /api/session': async ({ context, identity }) => {
      const session_id = parseArchive(await context.req.text());
      const session = await ledger.tabSession(session_id);
      if (session?.device_id !== identity.device_id) return refuse(context, NO_SESSION);
      const archived = { ...session, metadata: { ...session.metadata, archivedAt: clock.now() } };
      await ledger.commit([{ do: 'put_tab_session', session: archived }]);
      return context.json({ success: true, data: { sessionId: session_id, status: 'archived' } });
    },
    'POST /api/session/init': async ({ context, identity }) => {
      if (calls.areTooMany([identity.device_id])) return refuse(context, TOO_MANY);
      calls.add([identity.device_id]);
      const asked = parseSessionInit(await context.req.text());
      const created = await inOrder(() => init(identity, asked));
      return context.json({ success: true, data: { sessionId: asked.sessionId, created } });
    },
    'GET /api/session/latest': async ({ context, identity }) => {
      const { device_id } = identity;
      const session = await ledger.latestTabSession({ device_id });
      return session === undefined ? refuse(context, NO_SESSION) : context.json(await shown(session));
    },
    'GET /api/session/by-domain/{domain}': async ({ context, identity, params }) => {
      const { device_id } = identity;
      const named = params.domain.toLowerCase();
      const domain = rootDomainOf(`https://${named}/`) ?? named;
      const session = await ledger.latestTabSession({ device_id, domain });
      return context.json({ session: session === undefined ? null : shownTabSession(session) });
    },
    'GET /api/session/{sessionId}/messages': async ({ context, identity, params }) => {
      const { sessionId } = params;
      const part = parseMessagePart((name) => context.req.query(name));
      if (await isSeen(identity, sessionId)) {
        return context.json(await messageAnswer(ledger, sessionId, part));
      }
      return context.json({ sessionId, messages: [], total: 0, sessionExists: false });
    },
    'POST /api/session/{sessionId}/task/{taskId}/resume': async ({ context, identity, params }) => {
      const { sessionId: session_id, taskId: task_id } = params;
      const resolution = parseResolution(await context.req.text());
      const data = await interact.resume(identity, { session_id, task_id }, resolution);
      return context.json({ success: true, data, ...data, message: 'The task goes on.' });
    },
    'GET /api/session/{sessionId}/task/{taskId}/report': async ({ context, identity, params }) => {
      const { sessionId: session_id, taskId: task_id } = params;
      const format = parseReportFormat((name) => context.req.query(name));
      const task = await ledger.task(task_id);
      const { device_id } = identity;
      if (task?.device_id !== device_id || task.session_id !== session_id) return refuse(context, NO_TASK);
      const messages = await listMessages(ledger, session_id);
      const { type, name, text } = taskReport(task, messages, format, clock.now());
      return context.body(text, 200, {
        'content-type': type,
        'content-disposition': `attachment; filename="${name}"`,
        'cache-control': 'no-cache, no-store, must-revalidate',
      });
    },
    'PATCH /api/session/{sessionId}': async ({ context, identity, params }) => {
      const text = await context.req.text();
      const rename = parsed(() => sessionRename.parse(text));
      if (rename instanceof InteractError) return refuse(context, rename);
      const { sessionId: session_id } = params;
      const session = await ledger.tabSession(session_id);
      if (session === undefined || !(await isSeen(identity, session_id))) {
        return refuse(context, NO_SESSION);
      }
      const renamed = { ...session, title: rename.title.toWellFormed(), is_renamed: true };
      await ledger.commit([{ do: 'put_tab_session', session: renamed }]);
      await sessions.open({ session_id, title: renamed.title });
      return context.json(shownTabSession(renamed));
    },
  }).onError((error, context) => {
    if (error instanceof InteractError) return refuse(context, error);
    throw error;
  });
}

const ARCHIVED = new InteractError('session_archived', 'This session was archived. Begin one with a new id.');
const NO_TASK = new InteractError('task_not_found', 'There is no such task in this session.');

const tooLarge = (bytes: number) =>
  new InteractError('body_too_large', `The body is over ${bytes} bytes. Send less.`);
