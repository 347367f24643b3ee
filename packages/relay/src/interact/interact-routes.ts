import type { Ledger } from '@drawbridge/ledger';
import { type InteractRequest, type InteractResponse, interactRequest, LIMITS } from '@drawbridge/protocol';
import { INTERACT, INTERACT_ERRORS, type Route } from '@drawbridge/protocol/http';
import type { Hono } from 'hono';
import type { CoreClock } from '../core/ports.ts';
import type { FailureLimiter } from '../devices/failure-limiter.ts';
import type { Credentials } from '../server/guard/credentials.ts';
import type { RelayEnv } from '../server/relay-env.ts';
import { serveOwnRoutes } from '../server/serve-routes.ts';
import { actionForAccount, isAccountClient } from './account-client.ts';
import type { AgentSessions } from './agent-sessions.ts';
import type { Interact } from './interact.ts';
import { InteractError } from './interact-error.ts';
import { limitOf, parsed, refuse, signedInToInteract, TOO_MANY } from './interact-refusal.ts';
import { sessionRoutes } from './session-routes.ts';
import { TOO_LARGE as FILE_TOO_LARGE, UPLOAD_BYTES, type Uploads } from './uploads.ts';

export interface InteractRoutesOptions {
  readonly interact: Interact;
  readonly sessions: Pick<AgentSessions, 'open'>;
  readonly ledger: Ledger;
  readonly clock: CoreClock;
  readonly credentials: Credentials;
  readonly uploads: Pick<Uploads, 'put'>;
  /** INT-289 */
  readonly calls: FailureLimiter;
}

/** Beside the file in a form. */
const FORM_BYTES = 16_384;
const KEY = /^[\x21-\x7e]{1,200}$/;

/** Contract 4: `/api/agent/interact` and `/api/session…`. */
export function interactRoutes(options: InteractRoutesOptions): Hono<RelayEnv> {
  const { interact, credentials, calls, uploads, ledger } = options;
  const signedIn = signedInToInteract(credentials);
  const stepsOf = ({ bytes }: Pick<Route, 'bytes'>) => [
    signedIn,
    bytes === undefined ? limitOf(UPLOAD_BYTES + FORM_BYTES, FILE_TOO_LARGE) : limitOf(bytes, TOO_LARGE),
  ];
  const routes = serveOwnRoutes(INTERACT, stepsOf, {
    'POST /api/knowledge/upload-to-s3': async ({ context, identity }) => {
      const { device_id } = identity;
      if (calls.areTooMany([device_id])) return refuse(context, TOO_MANY);
      calls.add([device_id]);
      try {
        const { file, filename } = await context.req.parseBody();
        if (!(file instanceof File)) throw NO_FILE;
        const name = typeof filename === 'string' && filename !== '' ? filename : file.name;
        const attachment = await uploads.put(device_id, new File([file], name, { type: file.type }));
        return context.json({ success: true, ...attachment });
      } catch (error) {
        return refuse(context, error instanceof InteractError ? error : NO_FILE);
      }
    },
    'POST /api/agent/interact': async ({ context, identity }) => {
      if (calls.areTooMany([identity.device_id])) return refuse(context, TOO_MANY);
      calls.add([identity.device_id]);
      const text = await context.req.text();
      if (text.length > LIMITS.interact_request.value) return refuse(context, TOO_LARGE);
      const key = context.req.header('idempotency-key');
      if (key !== undefined && !KEY.test(key)) return refuse(context, BAD_KEY);
      const request = parsed<InteractRequest>(() => interactRequest.parse(text));
      if (request instanceof InteractError) return refuse(context, request);
      if (SECRET_FIELDS.test(text)) {
        const pageChars = text.length - (request.screenshot?.length ?? 0);
        for (let read = SCANNED_CHARS; read < pageChars; read += SCANNED_CHARS) {
          calls.add([identity.device_id]);
        }
      }
      const isGone = () => context.env.outgoing.destroyed;
      const isAccount = await isAccountClient(ledger, identity.device_id, request);
      const answer = await interact.interact(identity, request, {
        isGone,
        isAccountClient: isAccount,
        ...(key !== undefined && { key }),
      });
      if ('success' in answer && !answer.success) return context.json(answer, statusOf(answer.code));
      if (request.features === undefined) {
        return context.json(onBothLevels(answer, isAccount ? actionForAccount : (action) => action));
      }
      return context.json(request.features.includes('awaiting_user') ? withNewerStatus(answer) : answer);
    },
  });
  return routes.route('/', sessionRoutes({ ...options, signedIn }));
}

/** INT-310: the public extension reads plan, status and blockers at the top level, and the rest in `data`. */
const onBothLevels = (answer: InteractResponse, wordsOf: (action: string) => string): object => {
  if (!('data' in answer)) return answer;
  const { action } = answer.data;
  const data = { ...answer.data, ...(action !== undefined && { action: wordsOf(action) }) };
  return { ...data, ...answer, data };
};

/** INT-325: the newer document's words for a task that waits for its person. */
const withNewerStatus = (answer: InteractResponse): object =>
  'data' in answer && answer.data.status === 'needs_user_input'
    ? { ...answer, data: { action: 'ask_user()', ...answer.data, status: 'awaiting_user' } }
    : answer;

/** A page with such a field is searched for its value, which takes a second for a megabyte. */
const SECRET_FIELDS = /password|one-time-code|cc-/i;
/** Counts as one more call. */
const SCANNED_CHARS = 16_384;

const statusOf = (code: string) =>
  Object.entries(INTERACT_ERRORS).find(([name]) => name === code)?.[1] ?? 500;

const TOO_LARGE = new InteractError(
  'body_too_large',
  `The body is over ${LIMITS.interact_request.value} characters. Send less of the page.`,
);
const BAD_KEY = new InteractError(
  'invalid_request',
  'Idempotency-Key takes 1 to 200 visible ASCII characters.',
  { path: 'Idempotency-Key' },
);
const NO_FILE = new InteractError('invalid_request', 'Send a form with the file in its field "file".', {
  path: 'file',
});
