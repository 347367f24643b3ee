import type { Answer } from '@drawbridge/protocol';
import { expect, test } from 'vitest';
import { startTestRelay, type TestDevice, type TestRelay } from '../../../test/server/test-relay.ts';
import type { Role } from '../../core/ports.ts';

const ORDER = { name: 'act', arguments: { steps: [{ do: 'click', id: '99' }] } };
const YES = { approval: { action: 'accept', content: { decision: 'once' } } };

/** A tab of this process, whose button asks a person first. */
function lendCarefulTab({ bridge, asker }: TestRelay): readonly Answer[] {
  const answers: Answer[] = [];
  const runtime_id = 'tab_1';
  const connection = bridge.connectRuntime({
    send(item) {
      if (item.type === 'action_call') void click(item.call_id, item.name);
    },
  });
  const click = async (call_id: string, name: string): Promise<void> => {
    const question = {
      ...{ question_id: `q_${call_id}`, runtime_id, call_id, name, call_hash: 'hash', data: ['sku: tea'] },
      ...{ origin: 'https://shop.example', sentence: 'Place the order.', expires_at: Date.now() + 60_000 },
      effect: 'irreversible' as const,
    };
    const answer = await asker.ask(question, new AbortController().signal);
    answers.push(answer);
    connection.receive({ type: 'action_call_output', runtime_id, call_id, output: { ...answer } });
  };
  const url = 'https://shop.example/';
  connection.receive({ type: 'runtime_ready', runtime_id, url, capabilities: ['element.click'] });
  return answers;
}

/** Posts as a client that shows forms, in the protocol revision that answers a call with its form. */
async function post({ url }: TestRelay, { token }: TestDevice, params: object) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
  };
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'act',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...params, _meta } }),
  });
  return (await response.json()).result;
}

test.each(['person', 'owner'] satisfies Role[])(
  '[BRG-167] the MCP client of a device with the role %s asks whoever sits there',
  async (role) => {
    const relay = await startTestRelay();
    const answers = lendCarefulTab(relay);
    const device = await relay.mint(role);
    const asked = await post(relay, device, ORDER);
    expect(asked.resultType).toBe('input_required');
    const { requestState } = asked;
    await post(relay, device, { ...ORDER, requestState, inputResponses: YES });
    expect(answers).toMatchObject([{ decision: 'once', by: 'MCP client raw' }]);
  },
);

test('[BRG-167] an agent that claims it can ask does not answer for itself: people are asked', async () => {
  const relay = await startTestRelay();
  const answers = lendCarefulTab(relay);
  const phone = await relay.connect('person');
  const agent = await relay.mint('agent');
  const calling = post(relay, agent, ORDER);
  const { session_id, prompt_id, prompt_text } = await phone.next('permission_prompt');
  expect(prompt_text).toContain('Place the order.');
  const guess = { ...ORDER, requestState: prompt_id, inputResponses: YES };
  // BRG-194: refused before any result.
  expect(await post(relay, agent, guess)).toBeUndefined();
  expect(answers).toEqual([]);
  const answer = { type: 'permission_response', request_id: 'r1', session_id, prompt_id, choice_id: 'deny' };
  phone.send(answer);
  expect((await calling).resultType).not.toBe('input_required');
  expect(answers).toMatchObject([{ decision: 'deny', by: 'a person' }]);
});

test("[BRG-167] an agent cannot answer a person's form, and its own call asks people", async () => {
  const relay = await startTestRelay();
  lendCarefulTab(relay);
  const phone = await relay.connect('person');
  const [person, agent] = [await relay.mint('person'), await relay.mint('agent')];
  const { requestState } = await post(relay, person, ORDER);
  const stolen = { ...ORDER, requestState, inputResponses: YES };
  expect(await post(relay, agent, stolen)).toBeUndefined();
  void post(relay, agent, ORDER).catch(() => {});
  await phone.next('permission_prompt');
});
