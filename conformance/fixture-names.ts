import { RUNTIME_ID } from './fixture-tab.ts';

/** Our call for each tool of the suite. Tools that are missing here have no equivalent. */
const TOOLS: Readonly<Record<string, { readonly name: string; readonly arguments: object }>> = {
  test_simple_text: { name: 'read', arguments: {} },
  test_image_content: { name: 'screenshot', arguments: {} },
  test_error_handling: { name: 'wait', arguments: { for: 'stable' } },
  test_tool_with_progress: { name: 'site', arguments: { mode: 'call', action: 'report' } },
  test_elicitation: { name: 'tabs', arguments: { do: 'close' } },
};

const URIS: Readonly<Record<string, string>> = {
  'test://static-text': 'drawbridge://runtimes',
  [`test://template/${RUNTIME_ID}/data`]: `drawbridge://maps/${RUNTIME_ID}`,
  'test://watched-resource': 'drawbridge://runtimes',
};

/** Replaces only the names in a request. */
export async function inOurNames(request: Request): Promise<Request> {
  if (request.method !== 'POST') return request;
  const { method, headers, url } = request;
  const text = await request.text();
  return new Request(url, { method, headers, body: renamed(text) });
}

function renamed(text: string): string {
  const message: { params?: { name?: string; uri?: string } } = JSON.parse(text);
  const { params } = message;
  const tool = TOOLS[params?.name ?? ''];
  const uri = URIS[params?.uri ?? ''];
  if (tool === undefined && uri === undefined) return text;
  return JSON.stringify({ ...message, params: { ...params, ...tool, ...(uri !== undefined && { uri }) } });
}
