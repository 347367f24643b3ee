import { get, type IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import type { BridgeItem } from '@drawbridge/protocol';
import { onTestFinished } from 'vitest';
import type { TestDevice, TestRelay } from '../test-relay.ts';

type Call = Extract<BridgeItem, { readonly type: 'action_call' }>;

/** A tab that shows `picture`, and counts how often a picture was taken. */
export function lendTab({ bridge }: TestRelay, runtime_id: string, fields: object = {}) {
  const calls: Call[] = [];
  let answer: object = { output: pictureOf('first') };
  const connection = bridge.connectRuntime({
    send(item) {
      if (item.type !== 'action_call') return;
      calls.push(item);
      const type = 'error' in answer ? 'action_error' : 'action_call_output';
      connection.receive({ type, runtime_id, call_id: item.call_id, ...answer });
    },
  });
  const url = 'https://shop.example/';
  connection.receive({ type: 'runtime_ready', runtime_id, url, title: 'Shop', ...fields });
  return {
    calls,
    show: (picture: string) => {
      answer = { output: pictureOf(picture) };
    },
    answerWith: (next: object) => {
      answer = next;
    },
    close: () => connection.close('The tab was closed.'),
  };
}

export const pictureOf = (picture: string) => ({
  image: Buffer.from(picture).toString('base64'),
  ...{ mime_type: 'image/jpeg', width: 640, height: 400 },
});

export interface Streamed {
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: what came is what the test is about
  readonly data: any;
}

/** Watches a tab; `next` waits for the next event, and is undefined when the stream has ended. */
export async function watch({ url }: TestRelay, { token }: TestDevice, runtime_id: string) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` };
    get(`${url}/api/runtimes/${runtime_id}/view`, { headers }, resolve).on('error', reject);
  });
  const leave = () => {
    response.destroy();
  };
  onTestFinished(leave);
  const lines = createInterface({ input: response })[Symbol.asyncIterator]();
  return {
    status: response.statusCode,
    leave,
    async next(): Promise<Streamed | undefined> {
      let event = '';
      for (;;) {
        const { value: line, done } = await lines.next();
        if (done) return undefined;
        if (line.startsWith('event: ')) event = line.slice('event: '.length);
        if (line.startsWith('data: ')) return { event, data: JSON.parse(line.slice('data: '.length)) };
      }
    },
  };
}
