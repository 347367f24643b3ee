import { RUNTIME_ID } from './fixture-tab.ts';

/** Closing a tab asks a person. */
const ASKS = { name: 'tabs', arguments: { do: 'close' } };

/** Our call for each tool of the suite. Tools that are missing here have no equivalent. */
const TOOLS: Readonly<Record<string, { readonly name: string; readonly arguments: object }>> = {
  test_simple_text: { name: 'read', arguments: {} },
  test_image_content: { name: 'screenshot', arguments: {} },
  test_error_handling: { name: 'wait', arguments: { for: 'stable' } },
  test_tool_with_progress: { name: 'site', arguments: { mode: 'call', action: 'report' } },
  test_elicitation: ASKS,
  test_input_required_result_elicitation: ASKS,
  test_input_required_result_tampered_state: ASKS,
};

const URIS: Readonly<Record<string, string>> = {
  'test://static-text': 'drawbridge://runtimes',
  [`test://template/${RUNTIME_ID}/data`]: `drawbridge://maps/${RUNTIME_ID}`,
  'test://watched-resource': 'drawbridge://runtimes',
};

/** 2026-07-28 repeats the name of a tool, or the address of a resource, in this header. */
const NAME_HEADER = 'mcp-name';

/** Replaces only the names in a request. */
export async function inOurNames(request: Request): Promise<Request> {
  if (request.method !== 'POST') return request;
  const { method, headers, url } = request;
  const text = await request.text();
  const message = JSON.parse(text);
  const named = renamed(message);
  if (named === undefined) return new Request(url, { method, headers, body: text });
  const ours = new Headers(headers);
  // A header that disagrees with its body stays as it is: the server has to refuse it.
  const isTrue = headers.get(NAME_HEADER) === (message.params.name ?? message.params.uri);
  if (isTrue) ours.set(NAME_HEADER, named.name ?? named.uri ?? '');
  const body = JSON.stringify({ ...message, params: { ...message.params, ...named } });
  return new Request(url, { method, headers: ours, body });
}

interface Named {
  readonly name?: string;
  readonly arguments?: object;
  readonly uri?: string;
}

function renamed({ params }: { readonly params?: Named }): Named | undefined {
  const tool = TOOLS[params?.name ?? ''];
  const uri = URIS[params?.uri ?? ''];
  return tool ?? (uri === undefined ? undefined : { uri });
}
