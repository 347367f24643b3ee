/** An agent that speaks MCP over HTTP, and has no model: the story says what it does. */
export interface McpAgent {
  /** Calls a tool of the relay's door. Throws with its words where the call failed. */
  readonly call: (tool: string, input: object) => Promise<string>;
  /** An action of the site's map. */
  readonly site: (action: string, input?: object) => Promise<string>;
}

const VERSION = '2026-07-28';

/** From this revision on there is no session: each request says all there is to know. */
const META = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientInfo': { name: 'drawbridge-demo', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Acts in the tab that has `tab` in its address: there may be others. */
export function connectMcpAgent(url: string, token: string, tab: string): McpAgent {
  let id = 0;
  const call: McpAgent['call'] = async (tool, input) => {
    id += 1;
    const params = { name: tool, arguments: { ...input, tab }, _meta: META };
    const response = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': VERSION,
        'mcp-method': 'tools/call',
        'mcp-name': tool,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params }),
    });
    const { text, isError } = parseAnswer(await response.text());
    if (isError) throw new Error(text);
    return text;
  };
  return {
    call,
    site: (action, input = {}) => call('site', { mode: 'call', action, arguments: input }),
  };
}

interface ToolAnswer {
  readonly error?: { readonly message: string };
  readonly result?: { readonly isError?: boolean; readonly content: readonly { readonly text?: string }[] };
}

/** What our own relay answers, of this version: its shape is not checked further. */
function parseAnswer(body: string): { readonly text: string; readonly isError: boolean } {
  const { error, result }: ToolAnswer = JSON.parse(body);
  if (result === undefined) return { text: error?.message ?? 'The relay did not answer.', isError: true };
  const text = result.content.map((part) => part.text ?? '').join('\n');
  return { text, isError: result.isError === true };
}
