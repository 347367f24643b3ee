import type { ServerResponse } from 'node:http';
import type { Gate } from '../gate.ts';
import type { JsonObject } from './json-object.ts';
import type { Outcome } from './model-request.ts';

type Headers = Readonly<Record<string, string | number>>;

/** The server's side of one request, until it is answered or aborted. */
export class Exchange {
  readonly ended: Promise<Outcome>;
  readonly #response: ServerResponse;
  #wasCut = false;

  constructor(response: ServerResponse) {
    this.#response = response;
    // Without a listener, writing to a client that has just left would end the process.
    response.on('error', () => {});
    this.ended = new Promise((resolve) => {
      response.once('close', () => resolve(this.#outcome()));
    });
  }

  sendJson(status: number, body: JsonObject, headers: Headers = {}): void {
    this.start(status, { 'content-type': 'application/json', ...headers });
    this.end(JSON.stringify(body));
  }

  start(status: number, headers: Headers): void {
    this.#response.writeHead(status, headers);
    this.#response.flushHeaders();
  }

  /** Resolves when the text was written, or the client is gone. */
  async write(text: string): Promise<void> {
    if (this.#response.destroyed) return;
    const written = new Promise<void>((resolve) => this.#response.write(text, () => resolve()));
    await Promise.race([written, this.ended]);
  }

  end(text = ''): void {
    this.#response.end(text);
  }

  cut(): void {
    this.#wasCut = true;
    this.#response.destroy();
  }

  /** Resolves when the gate opens, or the client is gone. */
  async waitAt(gate: Gate): Promise<void> {
    await Promise.race([gate.passed(), this.ended]);
  }

  #outcome(): Outcome {
    if (this.#response.writableFinished) return 'answered';
    return this.#wasCut ? 'cut' : 'client left';
  }
}
