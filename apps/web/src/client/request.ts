import { type CallArguments, type ReplyTo, type RouteName, requestOf } from '@drawbridge/protocol/http-call';
import { type Words, withOwnCommand } from '@drawbridge/ui/model';
import { provenFetch } from './browser-key.ts';
import { type Confirmation, confirmed } from './confirmation.ts';

/** `status` 0: no answer. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** The relay's code of the error. */
  readonly code: string | undefined;
  constructor(status: number, message: string, code?: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

interface Asked {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

const CONFIRMATION_HEADER = 'drawbridge-confirmation';

export async function ask(path: string, asked: Asked = {}): Promise<Response> {
  const { method = 'GET', body, headers = {}, signal } = asked;
  const isJson = body !== undefined && !(body instanceof Blob);
  const response = await provenFetch(path, {
    method,
    headers: { ...headers, ...(isJson && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: isJson ? JSON.stringify(body) : body }),
    ...(signal && { signal }),
  }).catch(() => {
    throw new ApiError(0, '');
  });
  if (response.ok) return response;
  const answer: unknown = await response.json().catch(() => undefined);
  const error = new ApiError(response.status, withOwnCommand(parseMessage(answer)), parseCode(answer));
  const confirmation = parseConfirmation(answer);
  if (confirmation === undefined || CONFIRMATION_HEADER in headers) throw error;
  await confirmed(confirmation, error);
  return ask(path, { ...asked, headers: { ...headers, [CONFIRMATION_HEADER]: confirmation.id } });
}

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

export const parseMessage = (answer: unknown): string =>
  String(field(field(answer, 'error'), 'message') ?? '');

const parseCode = (answer: unknown): string | undefined => {
  const code = field(field(answer, 'error'), 'code');
  return typeof code === 'string' ? code : undefined;
};

const parseConfirmation = (answer: unknown): Confirmation | undefined => {
  const error = field(answer, 'error');
  return field(error, 'code') === 'confirmation_needed'
    ? (field(error, 'confirmation') as Confirmation)
    : undefined;
};

/** Answers are not validated: this page came from the same relay. */
export async function trustAnswer<Answer>(response: Promise<Response>): Promise<Answer> {
  return JSON.parse((await (await response).text()) || 'null') as Answer;
}

type More = Pick<Asked, 'headers' | 'signal'>;

/** Calls a route of the relay by its name in the reference. */
export function call<Name extends RouteName>(
  name: Name,
  ...[given, more]: CallArguments<Name, More>
): Promise<ReplyTo<Name>> {
  const { path, ...request } = requestOf(name, given);
  return trustAnswer(ask(path, { ...request, ...more }));
}

/** The same for stream events. */
export const trustProblem = <Told>(data: string): Told => JSON.parse(data) as Told;

/** The relay's reason in the language of the page. */
export function problemText(error: unknown, { reason, fault }: Pick<Words, 'reason' | 'fault'>): string {
  if (!(error instanceof Error) || error.message === '') return fault.relay;
  return reason(error.message, error instanceof ApiError ? error.code : undefined);
}
