export const postAs = (token: string, url: string, body: object): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: {
      ...{ authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(body),
  });

/** One call of an agent to the relay's MCP endpoint. */
export const callTool = (relay: string, token: string, name: string, args: object): Promise<Response> =>
  postAs(token, `${relay}/mcp`, {
    ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
    params: { name, arguments: args },
  });
