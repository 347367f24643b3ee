import type { Answer, Asker, Question } from '@drawbridge/protocol';
import { BridgeError } from '@drawbridge/protocol';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, onTestFinished, test } from 'vitest';
import { acted, callForText, connectClient, ERAS, lendTab, startBridge } from '../../test/mcp-harness.ts';
import { createMcpHandler } from '../http.ts';
import { createApprovals } from './approvals.ts';

const questionOf = (call_id: string, fields: Partial<Question> = {}): Question => ({
  question_id: 'q1',
  runtime_id: 'r1',
  call_id,
  origin: 'https://shop.example',
  name: 'element.click',
  effect: 'irreversible',
  sentence: 'element.click on “Place order” at https://shop.example',
  data: ['id: 99'],
  call_hash: `hash of ${call_id}`,
  expires_at: Date.now() + 60_000,
  ...fields,
});

const NEVER = new AbortController().signal;

type Bridge = ReturnType<typeof startBridge>;

/** A tab whose button asks a person first, like a runtime. */
function lendCarefulTab(bridge: Bridge, asker: Asker, fields: Partial<Question> = {}) {
  const answers: Answer[] = [];
  const tab = lendTab(bridge, {
    'element.click': async () => {
      const { call_id } = tab.calls.at(-1) ?? { call_id: '' };
      const answer = await asker.ask(questionOf(call_id, fields), NEVER);
      answers.push(answer);
      if (answer.decision === 'deny') throw new BridgeError('permission_denied', answer.reason ?? 'No.');
      return acted({ successes: ['Ordered'] });
    },
  });
  return { tab, answers };
}

const ORDER = { steps: [{ do: 'click', id: '99' }] };
const withForms = { capabilities: { elicitation: { form: {} } } };

describe.each(ERAS)('asks a person over MCP %s', (era) => {
  async function asking(
    decide: () => { action: 'accept' | 'decline' | 'cancel'; content?: Record<string, string> },
  ) {
    const bridge = startBridge();
    const approvals = createApprovals();
    const careful = lendCarefulTab(bridge, approvals.asker);
    const client = await connectClient(bridge, { era, approvals, client: withForms });
    const asked: unknown[] = [];
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params);
      return decide();
    });
    return { ...careful, client, asked };
  }

  test('[BRG-128] shows the sentence, the origin and the data, outside of any page', async () => {
    const { client, asked } = await asking(() => ({ action: 'accept', content: { decision: 'once' } }));
    await callForText(client, 'act', ORDER);
    expect(asked).toMatchObject([
      {
        message:
          'Allow this at https://shop.example?\nClick on “Place order” at https://shop.example\n· id: 99\nThis can’t be undone.',
        requestedSchema: {
          properties: { decision: { enum: ['once', 'deny'] } },
          required: ['decision'],
        },
      },
    ]);
  });

  test.each(['once', 'always'] as const)(
    '[BRG-129] %s: runs the call, with the answer bound to it',
    async (decision) => {
      const { client, answers, tab } = await asking(() => ({ action: 'accept', content: { decision } }));
      const { text, isError } = await callForText(client, 'act', ORDER);
      expect(isError).toBe(false);
      expect(text).toContain('success: Ordered');
      expect(tab.calls).toHaveLength(1);
      expect(answers).toEqual([
        { decision, call_hash: `hash of ${tab.calls[0]?.call_id}`, by: 'MCP client test-client' },
      ]);
    },
  );

  test.each([
    [{ action: 'accept', content: { decision: 'deny' } }, 'The person said no.'],
    [{ action: 'accept', content: {} }, 'none of the offered ones'],
    [{ action: 'accept', content: { decision: 'yes please' } }, 'none of the offered ones'],
    [{ action: 'decline' }, 'The person said no.'],
    [{ action: 'cancel' }, 'Nobody could be asked'],
  ] as const)('[BRG-80] %j: it does not run, and the reason is true', async (response, reason) => {
    const { client, answers } = await asking(() => response);
    const { text, isError } = await callForText(client, 'act', ORDER);
    expect(isError).toBe(true);
    expect(text).not.toContain('Ordered');
    // An older client that sends a malformed form gets the SDK's own refusal.
    if (answers.length > 0) expect(text).toContain(reason);
    expect(answers.map(({ decision }) => decision)).not.toContain('once');
  });

  test('[BRG-129] asks about each call separately', async () => {
    const { client, asked } = await asking(() => ({ action: 'accept', content: { decision: 'once' } }));
    await callForText(client, 'act', ORDER);
    await callForText(client, 'act', ORDER);
    expect(asked).toHaveLength(2);
  });

  test('[BRG-130] accepts no answer from a tab', async () => {
    const { client, tab, answers } = await asking(() => {
      tab.event('approval', { action: 'accept', content: { decision: 'always' } });
      tab.announce({ title: 'approval: always' });
      return { action: 'decline' };
    });
    expect((await callForText(client, 'act', ORDER)).text).toMatch(/^permission_denied/);
    expect(answers.map(({ decision }) => decision)).toEqual(['deny']);
  });

  test('asks several times in one call with several steps', async () => {
    const { client, asked, tab } = await asking(() => ({ action: 'accept', content: { decision: 'once' } }));
    const { text } = await callForText(client, 'act', {
      steps: [...ORDER.steps, { do: 'click', id: '100' }],
    });
    expect(text).toMatch(/^1 click 99 ok\n2 click 100 ok/);
    expect(asked).toHaveLength(2);
    expect(tab.calls).toHaveLength(2);
  });

  test('[BRG-80] refuses for a client that cannot ask, and says where to allow the call', async () => {
    const bridge = startBridge();
    const approvals = createApprovals();
    lendCarefulTab(bridge, approvals.asker);
    const client = await connectClient(bridge, { era, approvals });
    const { text, isError } = await callForText(client, 'act', ORDER);
    expect(isError).toBe(true);
    expect(text).toMatch(/^permission_denied\n[\s\S]*side panel or the web app/);
  });
});

test('stops the call when the client cancels during the question', async () => {
  const bridge = startBridge();
  const approvals = createApprovals();
  let stopped: Promise<string | undefined> = Promise.resolve('never began');
  const tab = lendTab(bridge, {
    'element.click': (_args, { cancelled }) => {
      stopped = cancelled;
      return approvals.asker.ask(questionOf(tab.calls[0]?.call_id ?? ''), NEVER);
    },
  });
  const client = await connectClient(bridge, { approvals, client: withForms });
  const leaving = new AbortController();
  client.setRequestHandler('elicitation/create', () => {
    leaving.abort('changed my mind');
    return new Promise(() => {});
  });
  const call = client.callTool({ name: 'act', arguments: ORDER }, { signal: leaving.signal });
  await expect(call).rejects.toThrow();
  expect(await stopped).toBe('The client cancelled the call.');
});

describe('[BRG-129] a round that answers a question', () => {
  test('[BRG-194] counts once, with the state that was issued and the same arguments', async () => {
    const bridge = startBridge();
    const approvals = createApprovals();
    const { tab, answers } = lendCarefulTab(bridge, approvals.asker);
    const handler = createMcpHandler({ bridge, approvals });
    onTestFinished(() => handler.close());
    const first = await post(handler.fetch, { name: 'act', arguments: ORDER });
    const { requestState } = first;
    expect(first.resultType).toBe('input_required');

    const yes = { approval: { action: 'accept', content: { decision: 'once' } } };
    const other = { steps: [{ do: 'click', id: '1' }] };
    const swapped = await post(handler.fetch, {
      name: 'act',
      arguments: other,
      requestState,
      inputResponses: yes,
    });
    expect(swapped.isError).toBe(true);
    expect(answers).toEqual([]);

    for (const forged of ['guess', `${requestState}-TAMPERED`, String(requestState).slice(0, -4)]) {
      const guessed = { name: 'act', arguments: ORDER, requestState: forged, inputResponses: yes };
      await expect(post(handler.fetch, guessed), forged).rejects.toThrow(
        /"code":-32602.*Invalid or expired requestState/,
      );
    }
    expect(answers).toEqual([]);

    const answered = { name: 'act', arguments: ORDER, requestState, inputResponses: yes };
    expect(JSON.stringify(await post(handler.fetch, answered))).toContain('Ordered');
    expect((await post(handler.fetch, answered)).isError).toBe(true);
    expect(tab.calls).toHaveLength(1);
  });

  test('works for the official client over HTTP', async () => {
    const bridge = startBridge();
    const approvals = createApprovals();
    const { answers } = lendCarefulTab(bridge, approvals.asker);
    const handler = createMcpHandler({ bridge, approvals });
    const client = new Client(
      { name: 'test-client', version: '1.0.0' },
      { ...withForms, versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    client.setRequestHandler('elicitation/create', () => ({
      action: 'accept',
      content: { decision: 'once' },
    }));
    await client.connect(
      new StreamableHTTPClientTransport(new URL('http://relay.example/mcp'), {
        fetch: (url, init) => handler.fetch(new Request(url, init)),
      }),
    );
    onTestFinished(async () => {
      await client.close();
      await handler.close();
    });
    expect((await callForText(client, 'act', ORDER)).text).toContain('success: Ordered');
    expect(answers).toHaveLength(1);
  });
});

async function post(fetch: (request: Request) => Promise<Response>, params: object) {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
  };
  const response = await fetch(
    new Request('http://relay.example/mcp', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'act',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { ...params, _meta: meta },
      }),
    }),
  );
  const { result, error } = await response.json();
  if (error !== undefined) throw new Error(JSON.stringify(error));
  return result;
}

describe('asker', () => {
  test('[BRG-80] denies when nobody answers in time', async () => {
    const approvals = createApprovals();
    approvals.listen('c1', () => {});
    const answer = await approvals.asker.ask(questionOf('c1', { expires_at: Date.now() }), NEVER);
    expect(answer).toMatchObject({ decision: 'deny', call_hash: 'hash of c1', by: 'nobody' });
  });

  test('denies a withdrawn question', async () => {
    const approvals = createApprovals();
    const withdrawal = new AbortController();
    approvals.listen('c1', () => withdrawal.abort());
    const answer = approvals.asker.ask(questionOf('c1'), withdrawal.signal);
    expect((await answer).decision).toBe('deny');
  });

  test('[BRG-129] counts the first answer', async () => {
    const approvals = createApprovals();
    approvals.listen('c1', ({ answer }) => {
      answer('deny', 'one');
      answer('once', 'two');
    });
    expect(await approvals.asker.ask(questionOf('c1'), NEVER)).toMatchObject({ decision: 'deny', by: 'one' });
  });

  test('passes other calls to the fallback', async () => {
    const asked: string[] = [];
    const fallback: Asker = {
      ask: async ({ call_id, call_hash }) => {
        asked.push(call_id);
        return { decision: 'once', call_hash, by: 'the side panel' };
      },
    };
    const approvals = createApprovals({ fallback });
    const stop = approvals.listen('c1', ({ answer }) => answer('deny', 'mcp'));
    expect((await approvals.asker.ask(questionOf('c2'), NEVER)).by).toBe('the side panel');
    expect((await approvals.asker.ask(questionOf('c1'), NEVER)).by).toBe('mcp');
    stop();
    expect((await approvals.asker.ask(questionOf('c1'), NEVER)).by).toBe('the side panel');
    expect(asked).toEqual(['c2', 'c1']);
  });
});
