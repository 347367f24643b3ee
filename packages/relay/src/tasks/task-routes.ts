import { type Context, Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { Identity } from '../core/ports.ts';
import type { Credentials } from '../server/guard/credentials.ts';
import { isPerson, isSessionAgent, mayAct } from '../server/guard/permission.ts';
import { refuseOverLimit } from '../server/quotas/over-limit.ts';
import { bodyOf, type RelayEnv, signedIn } from '../server/relay-env.ts';
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
const BODY_BYTES = 1_048_576;
const LISTED = { usual: 50, most: 500 };

/** A task works in any idle lent tab, so the token of one session, limited to its sites and stops, gives none. */
const mayGiveTasks = (identity: Identity): boolean => mayAct(identity) && !isSessionAgent(identity);

/** `/api/tasks`: for people, and for agents, which see only their own tasks. */
export function taskRoutes(options: TaskRoutesOptions): Hono<RelayEnv> {
  const { taskService, credentials } = options;
  const routes = new Hono<RelayEnv>();
  routes.onError((error, context) => {
    if (!(error instanceof TaskRefusal)) throw error;
    const { code, message, status, field, over } = error;
    if (over !== undefined) return refuseOverLimit(context, over);
    return context.json({ error: { code, message, ...(field !== undefined && { field }) }, message }, status);
  });
  routes.use('*', signedIn(credentials, mayGiveTasks), bodyOf(BODY_BYTES), async (context, next) => {
    context.header('cache-control', 'no-store');
    await next();
  });

  const taskOf = async (context: Context<RelayEnv>): Promise<OwnedView> => {
    const task = await taskService.get(context.req.param('id') ?? '');
    if (task !== undefined && maySee(context.get('identity'), task)) return task;
    throw new TaskRefusal('not_found', 'There is no such task. GET /api/tasks lists them.', 404);
  };
  /** Loads the task that the path names. */
  const on =
    (act: (task_id: string, context: Context<RelayEnv>) => Promise<TaskView>, status: 200 | 202 = 200) =>
    async (context: Context<RelayEnv>) => {
      const { task_id } = await taskOf(context);
      return context.json(shown(await act(task_id, context)), status);
    };

  return routes
    .post('/', async (context) => {
      const order = parseOrder(await context.req.text());
      if (isProblem(order)) throw new TaskRefusal('invalid_request', order.message, 400, order.field);
      const key = context.req.header('idempotency-key');
      if (key !== undefined && !KEY.test(key)) {
        const message = 'Idempotency-Key takes 1 to 200 visible ASCII characters.';
        throw new TaskRefusal('invalid_request', message, 400, 'Idempotency-Key');
      }
      const identity = context.get('identity');
      return context.json(shown(await taskService.submit(order, identity, key)), 202);
    })
    .get('/', async (context) => {
      const { before = null, limit: most = String(LISTED.usual) } = context.req.query();
      if (!/^[1-9]\d{0,8}$/.test(most)) {
        throw new TaskRefusal('invalid_request', '"limit" is a whole number from 1.', 400, 'limit');
      }
      const identity = context.get('identity');
      const own = isPerson(identity) ? undefined : identity.device_id;
      const tasks = await taskService.list(before, Math.min(Number(most), LISTED.most), own);
      return context.json({ tasks: tasks.map(shown) });
    })
    .get('/:id', async (context) => context.json(shown(await taskOf(context))))
    .get('/:id/trace', async (context) =>
      context.json(await taskService.trace((await taskOf(context)).task_id)),
    )
    .delete(
      '/:id',
      on((task_id, context) => taskService.cancel(task_id, `${context.get('identity').label} cancelled it.`)),
    )
    .post('/:id/pause', on(taskService.pause))
    .post('/:id/resume', on(taskService.resume))
    .post('/:id/takeover', on(taskService.takeOver))
    .post('/:id/handback', on(taskService.resumeAgent))
    .post(
      '/:id/retry',
      on((task_id, context) => taskService.retry(task_id, context.get('identity')), 202),
    )
    .post(
      '/:id/answer',
      on(async (task_id, context) => {
        const answer = parseAnswer(await context.req.text());
        if (typeof answer === 'string')
          return taskService.sendMessage(task_id, answer, context.get('identity'));
        throw new TaskRefusal('invalid_request', answer.message, 400, answer.field);
      }),
    )
    .get('/:id/events', async (context) => {
      const task = await taskOf(context);
      const after = context.req.header('last-event-id') ?? context.req.query('after') ?? '0';
      if (!/^\d{1,15}$/.test(after)) {
        const message = 'Last-Event-ID is the id of an event that came before.';
        throw new TaskRefusal('invalid_request', message, 400, 'last-event-id');
      }
      const response = streamSSE(context, async (stream) => {
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
    });
}

const maySee = (identity: Identity, { device_id }: OwnedView): boolean =>
  isPerson(identity) || identity.device_id === device_id;

function shown(task: TaskView & { readonly device_id?: string }): TaskView {
  const { device_id: _, ...rest } = task;
  return rest;
}
