import { randomUUID } from 'node:crypto';
import type { Brain } from '@drawbridge/brain';
import type { Ledger } from '@drawbridge/ledger';
import type { Hono } from 'hono';
import type { CoreClock, RelayCore } from '../core/ports.ts';
import { createFailureLimiter } from '../devices/failure-limiter.ts';
import type { Credentials } from '../server/guard/credentials.ts';
import type { RelayEnv } from '../server/relay-env.ts';
import { createTaskRows, type TaskRows } from '../tasks/task-rows.ts';
import { type AgentSessions, createAgentSessions } from './agent-sessions.ts';
import { createDocumentReader } from './document-text.ts';
import { createInteract, type Interact } from './interact.ts';
import { interactRoutes } from './interact-routes.ts';
import { type Push, pushMessages } from './message-pushes.ts';
import { createSkeletonMaker } from './page-skeleton.ts';
import { createUploads } from './uploads.ts';

export interface InteractPortOptions {
  readonly core: Pick<RelayCore, 'appended' | 'connect' | 'onEvents'>;
  readonly ledger: Ledger;
  readonly clock: CoreClock;
  readonly id: (kind: string) => string;
  readonly credentials: Credentials;
  /** Read at each step: the brain may be set or changed while the relay runs. */
  readonly brain: () => Brain | undefined;
  /** Undefined turns pushes off. */
  readonly push: Push | undefined;
  readonly callsPerMinute: number;
  readonly onError: (error: unknown) => void;
}

/** Contract 4 at the relay, and the sessions of our own agent. */
export interface InteractPort {
  readonly sessions: AgentSessions;
  readonly rows: TaskRows;
  readonly interact: Interact['interact'];
  readonly routes: Hono<RelayEnv>;
  readonly close: () => void;
}

export function createInteractPort(options: InteractPortOptions): InteractPort {
  const { core, ledger, clock, push, onError } = options;
  const sessions = createAgentSessions(options);
  const cancel = push === undefined ? () => {} : pushMessages({ core, ledger, push, onError });
  const rows = createTaskRows({ ledger, sessions });
  const uploads = createUploads(createDocumentReader(clock));
  const interact = createInteract({
    ...options,
    sessions,
    rows,
    uuid: randomUUID,
    makeSkeleton: createSkeletonMaker(clock),
    uploads,
    push: push ?? (() => {}),
  });
  const calls = createFailureLimiter(clock, options.callsPerMinute);
  return {
    sessions,
    rows,
    interact: interact.interact,
    routes: interactRoutes({ ...options, interact, sessions, calls, uploads }),
    close() {
      cancel();
      calls.close();
      interact.close();
      sessions.close();
    },
  };
}
