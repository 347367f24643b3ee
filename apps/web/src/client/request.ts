/** `status` 0: nobody answered. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

interface Asked {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export async function ask(
  path: string,
  { method = 'GET', body, headers = {} }: Asked = {},
): Promise<Response> {
  const isJson = body !== undefined && !(body instanceof Blob);
  const response = await fetch(path, {
    method,
    headers: { ...headers, ...(isJson && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: isJson ? JSON.stringify(body) : body }),
  }).catch(() => {
    throw new ApiError(0, '');
  });
  if (response.ok) return response;
  const answer: unknown = await response.json().catch(() => undefined);
  throw new ApiError(response.status, parseMessage(answer));
}

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

export const parseMessage = (answer: unknown): string =>
  String(field(field(answer, 'error'), 'message') ?? '');

/** The relay is ours, and this page came from it: its answers have the shape that its reference says. */
export async function parseAnswer<Answer>(response: Promise<Response>): Promise<Answer> {
  return (await (await response).json()) as Answer;
}

/** The same, of what a stream tells. */
export const parseTold = <Told>({ data }: MessageEvent): Told => JSON.parse(data) as Told;

export const post = (path: string, body: unknown = {}): Promise<Response> =>
  ask(path, { method: 'POST', body });

/** What to say of it. */
export const faultText = (error: unknown, otherwise: string): string =>
  (error instanceof Error && error.message) || otherwise;
