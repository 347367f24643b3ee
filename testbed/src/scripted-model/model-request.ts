import type { IncomingHttpHeaders } from 'node:http';
import type { JsonObject } from './json-object.ts';

export type Provider = 'openai-chat' | 'openai-responses' | 'anthropic-messages' | 'google-generate-content';

/** End of a request: answered fully, cut by this server, or aborted by the client. */
export type Outcome = 'answered' | 'cut' | 'client left';

export interface ModelRequest {
  readonly provider: Provider;
  readonly headers: IncomingHttpHeaders;
  /** From `authorization: Bearer …`, `x-api-key` or `x-goog-api-key`. */
  readonly apiKey: string | undefined;
  readonly model: string;
  readonly stream: boolean;
  readonly body: JsonObject;
  readonly ended: Promise<Outcome>;
}
