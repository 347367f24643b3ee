/** A scripted agent that speaks MCP over HTTP, without a model. */
export interface McpAgent {
  /** Calls a tool of the relay's MCP endpoint. Throws the error message of a failed call. */
  readonly call: (tool: string, input: object) => Promise<string>;
  /** An action of the site's map. */
  readonly site: (action: string, input?: object) => Promise<string>;
}

const VERSION = '2026-07-28';

/** This revision has no session: each request is self-contained. */
const META = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientInfo': { name: 'Shopping agent', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Acts in the tab with `tab` in its address. */
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

/** Not validated: our own relay of this version. */
function parseAnswer(body: string): { readonly text: string; readonly isError: boolean } {
  const { error, result }: ToolAnswer = JSON.parse(body);
  if (result === undefined) return { text: error?.message ?? 'The relay did not answer.', isError: true };
  const text = result.content.map((part) => part.text ?? '').join('\n');
  return { text, isError: result.isError === true };
}
