import { TASKS } from '@drawbridge/protocol/http';
import type { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { Identity } from '../core/ports.ts';
import type { Credentials } from '../server/guard/credentials.ts';
import { isPerson } from '../server/guard/permission.ts';
import { refuseOverLimit } from '../server/quotas/over-limit.ts';
import type { RelayEnv } from '../server/relay-env.ts';
import { type Call, serveRoutes } from '../server/serve-routes.ts';
import { type FeedPorts, updatesOf } from './task-events.ts';
import { isProblem, parseAnswer, parseOrder } from './task-order.ts';
import type { TaskView } from './task-record.ts';
import { TaskRefusal } from './task-refusal.ts';
import type { OwnedView, TaskService } from './task-service.ts';

export interface TaskRoutesOptions extends FeedPorts {
  readonly credentials: Credentials;
  readonly taskService: TaskService;
}

const KEY = /^[\x21-\x7e]{1,200}$/;
const LISTED = { usual: 50, most: 500 };

type OfTask = Pick<Call<'{task_id}', unknown>, 'context' | 'identity' | 'params'>;

/** For people, and for agents, which see only their own tasks. */
export function taskRoutes(options: TaskRoutesOptions): Hono<RelayEnv> {
  const { taskService, credentials } = options;

  const taskOf = async ({ identity, params }: OfTask): Promise<OwnedView> => {
    const task = await taskService.get(params.task_id);
    if (task !== undefined && maySee(identity, task)) return task;
    throw new TaskRefusal('not_found', 'There is no such task. GET /api/tasks lists them.', 404);
  };
  /** Loads the task that the path names. */
  const on =
    (act: (task_id: string, call: OfTask) => Promise<TaskView>) =>
    async (call: OfTask): Promise<TaskView> =>
      shown(await act((await taskOf(call)).task_id, call));

  const routes = serveRoutes(TASKS, credentials, {
    async 'POST /api/tasks'({ context, identity }) {
      const order = parseOrder(await context.req.text());
      if (isProblem(order)) throw new TaskRefusal('invalid_request', order.message, 400, order.field);
      const key = context.req.header('idempotency-key');
      if (key !== undefined && !KEY.test(key)) {
        const message = 'Idempotency-Key takes 1 to 200 visible ASCII characters.';
        throw new TaskRefusal('invalid_request', message, 400, 'Idempotency-Key');
      }
      return shown(await taskService.submit(order, identity, key));
    },
    async 'GET /api/tasks'({ identity, query: { before = null, limit = String(LISTED.usual) } }) {
      if (!/^[1-9]\d{0,8}$/.test(limit)) {
        throw new TaskRefusal('invalid_request', '"limit" is a whole number from 1.', 400, 'limit');
      }
      const own = isPerson(identity) ? undefined : identity.device_id;
      const tasks = await taskService.list(before, Math.min(Number(limit), LISTED.most), own);
      return { tasks: tasks.map(shown) };
    },
    'GET /api/tasks/{task_id}': async (call) => shown(await taskOf(call)),
    'GET /api/tasks/{task_id}/trace': async (call) => taskService.trace((await taskOf(call)).task_id),
    'DELETE /api/tasks/{task_id}': on((task_id, { identity }) =>
      taskService.cancel(task_id, `${identity.label} cancelled it.`),
    ),
    'POST /api/tasks/{task_id}/pause': on(taskService.pause),
    'POST /api/tasks/{task_id}/resume': on(taskService.resume),
    'POST /api/tasks/{task_id}/takeover': on(taskService.takeOver),
    'POST /api/tasks/{task_id}/handback': on(taskService.resumeAgent),
    'POST /api/tasks/{task_id}/retry': on((task_id, { identity }) => taskService.retry(task_id, identity)),
    'POST /api/tasks/{task_id}/answer': on(async (task_id, { context, identity }) => {
      const answer = parseAnswer(await context.req.text());
      if (typeof answer === 'string') return taskService.sendMessage(task_id, answer, identity);
      throw new TaskRefusal('invalid_request', answer.message, 400, answer.field);
    }),
    async 'GET /api/tasks/{task_id}/events'(call) {
      const task = await taskOf(call);
      const { req } = call.context;
      const after = req.header('last-event-id') ?? req.query('after') ?? '0';
      if (!/^\d{1,15}$/.test(after)) {
        const message = 'Last-Event-ID is the id of an event that came before.';
        throw new TaskRefusal('invalid_request', message, 400, 'last-event-id');
      }
      const response = streamSSE(call.context, async (stream) => {
        const gone = new AbortController();
        stream.onAbort(() => gone.abort());
        for await (const told of updatesOf(options, task, Number(after), gone.signal)) {
          if (told.kind === 'alive') await stream.write(': alive\n\n');
          else if (told.kind === 'event') {
            const { name, event } = told;
            await stream.writeSSE({ id: `${event.sequence}`, event: name, data: JSON.stringify(event) });
          } else if (told.kind === 'thought') {
            await stream.writeSSE({ event: 'thought', data: JSON.stringify({ text: told.text }) });
          } else await stream.writeSSE({ event: told.kind, data: JSON.stringify(shown(told.task)) });
        }
      });
      // A connection kept open after its end would delay the relay's stop.
      response.headers.set('connection', 'close');
      return response;
    },
  });
  routes.onError((error, context) => {
    if (!(error instanceof TaskRefusal)) throw error;
    const { code, message, status, field, over } = error;
    if (over !== undefined) return refuseOverLimit(context, over);
    return context.json({ error: { code, message, ...(field !== undefined && { field }) }, message }, status);
  });
  return routes;
}

const maySee = (identity: Identity, { device_id }: OwnedView): boolean =>
  isPerson(identity) || identity.device_id === device_id;

function shown(task: TaskView & { readonly device_id?: string }): TaskView {
  const { device_id: _, ...rest } = task;
  return rest;
}
