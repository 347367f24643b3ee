import type { RuntimeView } from '@drawbridge/bridge';
import { BridgeError, withScheme } from '@drawbridge/protocol';
import type { Answer } from '../answer/answer.ts';
import { savedLine } from '../answer/effect-lines.ts';
import { routeTo, shortIds, type TabRoute, tabLines, tabRoute, urlOf } from '../lent-tabs.ts';
import { listAt, textAt } from '../loose-value.ts';
import { arrival } from './snapshot.ts';
import { ACTS, callPrimitive, type Fields, TAB, type Tool, type ToolContext } from './tool.ts';

type TabAction = (args: Fields, route: TabRoute, context: ToolContext) => Promise<Answer>;

const TAB_ACTIONS = {
  list: async (_args, _route, { tabs }) =>
    tabs().length === 0
      ? { said: 'No tab is lent. Ask the person to lend one.' }
      : { pages: [{ origin: 'tabs', text: tabLines(tabs()) }] },
  navigate: (args, route, context) => navigate(route, context, { url: urlIn(args) }),
  back: (_args, route, context) => navigate(route, context, { back: true }),
  reload: (_args, route, context) => navigate(route, context, { reload: true }),
  open,
  activate,
  async files(_args, route, context) {
    const { output } = await callPrimitive(context, route, 'browser.files.list', {});
    const files = listAt(output, 'files');
    if (files.length === 0) return { said: 'The lent tabs have saved no file.' };
    return { pages: [{ origin: 'files', text: files.map(savedLine).join('\n') }] };
  },
  async close(_args, route, context) {
    await callPrimitive(context, route, 'browser.close_tab', {});
    return { said: 'closed' };
  },
} as const satisfies Record<string, TabAction>;

export const TABS: Tool = {
  name: 'tabs',
  description:
    'The tabs lent to you. navigate, back and reload answer with the new page; open opens a tab; files lists what they saved.',
  input_schema: {
    type: 'object',
    properties: { ...TAB, do: { type: 'string', enum: Object.keys(TAB_ACTIONS) }, url: { type: 'string' } },
    required: ['do'],
  },
  annotations: ACTS,
  handle(args, context) {
    const action =
      Object.entries(TAB_ACTIONS).find(([name]) => name === textAt(args, 'do'))?.[1] ?? TAB_ACTIONS.list;
    return action(args, tabRoute(args, context), context);
  },
};

function urlIn(args: Fields): string {
  const url = (textAt(args, 'url') ?? '').trim();
  if (url === '') throw new BridgeError('invalid_input', 'Say in `url` where to go.');
  return withScheme(url);
}

async function navigate(
  route: TabRoute,
  context: ToolContext,
  to: { readonly url: string } | { readonly back: true } | { readonly reload: true },
): Promise<Answer> {
  const { output } = await callPrimitive(context, route, 'browser.navigate', { ...to });
  const url = textAt(output, 'url');
  return arrival(context, route, url ?? '');
}

const LOOK_MS = 50;
const MOST_LOOKS = 40;

async function open(args: Fields, route: TabRoute, context: ToolContext): Promise<Answer> {
  const given = textAt(args, 'url')?.trim();
  const url = given && withScheme(given);
  const before = new Set(context.tabs().map(({ runtime_id }) => runtime_id));
  const { output } = await callPrimitive(
    context,
    route,
    'browser.open_tab',
    url === undefined ? {} : { url },
  );
  const key = textAt(output, 'runtime_key');
  const opened = (): readonly RuntimeView[] =>
    context
      .tabs()
      .filter(({ runtime_id, ready }) =>
        key === undefined ? !before.has(runtime_id) : ready.runtime_key === key,
      );
  // The tab joins the bridge shortly after the browser has opened it.
  for (let looks = 0; looks < MOST_LOOKS && opened().length === 0; looks++)
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  const found = opened();
  const [tab] = found;
  if (tab === undefined || found.length > 1) return { said: 'opened', next: 'tabs {"do":"list"} shows it.' };
  const seen = await arrival(context, routeTo(tab.runtime_id, found), urlOf(tab));
  return { ...seen, said: `opened ${shortIds(context.tabs()).get(tab.runtime_id) ?? ''}` };
}

async function activate(_args: Fields, route: TabRoute, context: ToolContext): Promise<Answer> {
  const { output, view } = await callPrimitive(context, route, 'browser.claimed_tabs.list', {});
  const tab_id = view && ownTabId(listAt(output, 'tabs'), view);
  if (tab_id === undefined)
    throw new BridgeError(
      'capability_unavailable',
      'That tab cannot be brought to the front; it can still be used.',
    );
  await callPrimitive(context, route, 'browser.claimed_tabs.activate', { tab_id });
  return { said: 'in front' };
}

/** A host without an own tab id may still name it in the key, or have one tab at that url. */
function ownTabId(tabs: readonly unknown[], view: RuntimeView): string | undefined {
  const key = view.ready.runtime_key ?? '';
  const atUrl = tabs.filter((tab) => textAt(tab, 'url') === urlOf(view));
  const own =
    tabs.find((tab) => key !== '' && textAt(tab, 'runtime_key') === key) ??
    tabs.find((tab) => key.endsWith(`:${textAt(tab, 'tab_id') ?? ''}`)) ??
    (atUrl.length === 1 ? atUrl[0] : undefined);
  return textAt(own, 'tab_id');
}
