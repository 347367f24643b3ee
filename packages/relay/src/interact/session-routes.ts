import { createMutex, RecentMap } from '@drawbridge/base';
import type { Ledger, TabSessionRecord } from '@drawbridge/ledger';
import { sessionRename } from '@drawbridge/protocol';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { CoreClock, Identity } from '../core/ports.ts';
import type { FailureLimiter } from '../devices/failure-limiter.ts';
import { maySeeSession } from '../server/guard/permission.ts';
import type { RelayEnv } from '../server/relay-env.ts';
import { type AgentSessions, BRAIN_DEVICE } from './agent-sessions.ts';
import { rootDomainOf } from './domain.ts';
import type { Interact } from './interact.ts';
import { InteractError } from './interact-error.ts';
import { FORBIDDEN, NO_SESSION, parsed, refuse, TOO_MANY } from './interact-refusal.ts';
import { listMessages, messageAnswer } from './message-list.ts';
import {
  parseArchive,
  parseMessagePart,
  parseReportFormat,
  parseResolution,
  parseSessionInit,
  parseSessionPart,
  SESSION_BODY_BYTES,
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
}

/** Sessions of a device that the list counts. */
const MOST_SESSIONS = 1_000;
const COUNTED_SESSIONS = 1_000;

/** Contract 4: `/api/session…`, behind the sign-in of the interact port. */
export function sessionRoutes({ interact, sessions, ledger, clock, calls }: SessionRoutesOptions) {
  const routes = new Hono<RelayEnv>();
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

  const limit = bodyLimit({ maxSize: SESSION_BODY_BYTES, onError: (context) => refuse(context, TOO_LARGE) });

  return routes
    .onError((error, context) => {
      if (error instanceof InteractError) return refuse(context, error);
      throw error;
    })
    .get('/session', async (context) => {
      const part = parseSessionPart((name) => context.req.query(name));
      const all = await ledger.tabSessionsOf(context.get('identity').device_id, MOST_SESSIONS);
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
    })
    .post('/session', limit, async (context) => {
      const session_id = parseArchive(await context.req.text());
      const session = await ledger.tabSession(session_id);
      if (session?.device_id !== context.get('identity').device_id) return refuse(context, NO_SESSION);
      const archived = { ...session, metadata: { ...session.metadata, archivedAt: clock.now() } };
      await ledger.commit([{ do: 'put_tab_session', session: archived }]);
      return context.json({ success: true, data: { sessionId: session_id, status: 'archived' } });
    })
    .post('/session/init', limit, async (context) => {
      const identity = context.get('identity');
      if (calls.areTooMany([identity.device_id])) return refuse(context, TOO_MANY);
      calls.add([identity.device_id]);
      const asked = parseSessionInit(await context.req.text());
      const created = await inOrder(() => init(identity, asked));
      return context.json({ success: true, data: { sessionId: asked.sessionId, created } });
    })
    .get('/session/latest', async (context) => {
      const { device_id } = context.get('identity');
      const session = await ledger.latestTabSession({ device_id });
      return session === undefined ? refuse(context, NO_SESSION) : context.json(await shown(session));
    })
    .get('/session/by-domain/:domain', async (context) => {
      const { device_id } = context.get('identity');
      const named = context.req.param('domain').toLowerCase();
      const domain = rootDomainOf(`https://${named}/`) ?? named;
      const session = await ledger.latestTabSession({ device_id, domain });
      return context.json({ session: session === undefined ? null : shownTabSession(session) });
    })
    .get('/session/:id/messages', async (context) => {
      const sessionId = context.req.param('id');
      const part = parseMessagePart((name) => context.req.query(name));
      if (await isSeen(context.get('identity'), sessionId)) {
        return context.json(await messageAnswer(ledger, sessionId, part));
      }
      return context.json({ sessionId, messages: [], total: 0, sessionExists: false });
    })
    .post('/session/:id/task/:task/resume', limit, async (context) => {
      const { id: session_id, task: task_id } = context.req.param();
      const resolution = parseResolution(await context.req.text());
      const data = await interact.resume(context.get('identity'), { session_id, task_id }, resolution);
      return context.json({ success: true, data, ...data, message: 'The task goes on.' });
    })
    .get('/session/:id/task/:task/report', async (context) => {
      const { id: session_id, task: task_id } = context.req.param();
      const format = parseReportFormat((name) => context.req.query(name));
      const task = await ledger.task(task_id);
      const { device_id } = context.get('identity');
      if (task?.device_id !== device_id || task.session_id !== session_id) return refuse(context, NO_TASK);
      const messages = await listMessages(ledger, session_id);
      const { type, name, text } = taskReport(task, messages, format, clock.now());
      return context.body(text, 200, {
        'content-type': type,
        'content-disposition': `attachment; filename="${name}"`,
        'cache-control': 'no-cache, no-store, must-revalidate',
      });
    })
    .patch('/session/:id', limit, async (context) => {
      const text = await context.req.text();
      const rename = parsed(() => sessionRename.parse(text));
      if (rename instanceof InteractError) return refuse(context, rename);
      const session_id = context.req.param('id');
      const session = await ledger.tabSession(session_id);
      if (session === undefined || !(await isSeen(context.get('identity'), session_id))) {
        return refuse(context, NO_SESSION);
      }
      const renamed = { ...session, title: rename.title.toWellFormed(), is_renamed: true };
      await ledger.commit([{ do: 'put_tab_session', session: renamed }]);
      await sessions.open({ session_id, title: renamed.title });
      return context.json(shownTabSession(renamed));
    });
}

const TOO_LARGE = new InteractError(
  'body_too_large',
  `The body is over ${SESSION_BODY_BYTES} bytes. Send less.`,
);
const ARCHIVED = new InteractError('session_archived', 'This session was archived. Begin one with a new id.');
const NO_TASK = new InteractError('task_not_found', 'There is no such task in this session.');
