import type { Channel } from 'pusher-js';
import { type ParsedAction, parseExtensionAction } from './extension-actions.ts';
import { type ExtensionCall, missingIn, SESSION, START } from './extension-calls.ts';
import type { ExtensionAnswer, PublicExtension } from './public-extension.ts';

/** A page as the extension captures it, and the page that an action leads to. */
export interface ScriptedPage {
  readonly url: string;
  readonly tree: readonly object[];
  readonly on?: Readonly<Record<string, ScriptedPage>>;
}

export interface TaskRun {
  readonly taskId: string;
  readonly end: 'finished' | 'failed' | 'question' | 'blocked' | 'chat';
  readonly actions: readonly string[];
  readonly answers: readonly ExtensionAnswer['body'][];
}

/** Sends a call; fails when the extension could not use its answer. */
export async function play(
  { send }: PublicExtension,
  { method, path, body, status, reads }: ExtensionCall,
): Promise<ExtensionAnswer['body']> {
  const answer = await send(method, path, body);
  const missing = missingIn(answer.body, reads);
  if (answer.status !== status || missing.length > 0) {
    throw new Error(`${method} ${path}: ${answer.status}, without ${missing.join(', ')}`);
  }
  return answer.body;
}

const MOST_TURNS = 50;
const ASKS = ['needs_full_dom', 'needs_context'];

/** Runs a task like the extension: its order of calls, its order of checks after each answer. */
export async function runTask(
  extension: PublicExtension,
  { sessionId, query, page: first }: { sessionId: string; query: string; page: ScriptedPage },
): Promise<TaskRun> {
  await play(extension, SESSION.messages(sessionId));
  let page = first;
  let taskId: string | undefined;
  let last: object = {};
  const actions: string[] = [];
  const answers: ExtensionAnswer['body'][] = [];
  while (answers.length < MOST_TURNS) {
    const { status, body: reply } = await extension.send('POST', '/api/agent/interact', {
      ...{ url: page.url, query, tabId: 41, ...(taskId && { taskId }), sessionId, domMode: 'semantic' },
      interactiveTree: page.tree,
      viewport: { width: 1280, height: 800 },
      ...{ pageTitle: 'A page', screenshot: null, ...last },
    });
    if (status !== 200) throw new Error(`interact: ${status} ${reply.message}`);
    answers.push(reply);
    // These stand in `data` if there is one; everything else is read from the top level only.
    const inner = typeof reply.data === 'object' && reply.data !== null ? reply.data : reply;
    const { action: text } = inner;
    if (ASKS.some((word) => reply.status === word || reply[word] === true)) {
      throw new Error('Asked for more of the page: this build takes the action of the first answer.');
    }
    taskId = inner.taskId ?? inner.task_id ?? taskId;
    if (taskId === undefined) throw new Error('No taskId.');
    await play(extension, START.sessions);
    const run = { taskId, actions, answers };
    if (reply.status === 'needs_user_input' || text === 'ask_user()' || reply.userQuestion !== undefined) {
      return { ...run, end: 'question' };
    }
    if (reply.status === 'awaiting_user' && reply.blockerInfo !== undefined)
      return { ...run, end: 'blocked' };
    const action: ParsedAction = parseExtensionAction(text);
    actions.push(text);
    if (action.name === 'finish') return { ...run, end: 'finished' };
    if (action.name === 'fail') return { ...run, end: 'failed' };
    if (reply.taskType === 'chat_only') return { ...run, end: 'chat' };
    // The server has done it: the next turn follows without an action.
    if (reply.toolAction?.toolType === 'SERVER') continue;
    if (reply.chainedActions !== undefined || reply.actions !== undefined)
      throw new Error('A chain came to a client that does not list it.');
    const next = page.on?.[text];
    last = resultOf(text, page, next);
    page = next ?? page;
  }
  throw new Error('50 turns.');
}

/** The report on an action: the page changed, or nothing was found. */
function resultOf(action: string, before: ScriptedPage, after: ScriptedPage | undefined): object {
  if (after === undefined) {
    const lastActionError = { message: 'Element not found', code: 'ELEMENT_NOT_FOUND', action };
    return { lastActionStatus: 'failure', lastActionResult: { success: false }, lastActionError };
  }
  const urlChanged = before.url !== after.url;
  return {
    lastActionStatus: 'success',
    lastActionResult: { success: true },
    domChanges: {
      ...{ addedCount: 2, removedCount: 1, dropdownDetected: false, stabilizationTime: 300 },
      ...(urlChanged && { previousUrl: before.url }),
      ...{ urlChanged, didNetworkOccur: urlChanged },
    },
    clientObservations: { didNetworkOccur: urlChanged, didDomMutate: true, didUrlChange: urlChanged },
  };
}

/** Messages merged by id and sorted by number, as its chat shows them: from a list, then from pushes. */
export function createChat(channel: Channel) {
  const messages = new Map<string, ExtensionAnswer['body']>();
  const take = (message: ExtensionAnswer['body']): void => {
    messages.set(message.messageId, { ...messages.get(message.messageId), ...message });
  };
  channel.bind('new_message', (pushed: ExtensionAnswer['body']) => take(pushed.message));
  return {
    take: (list: readonly ExtensionAnswer['body'][]) => list.forEach(take),
    shown: (): readonly ExtensionAnswer['body'][] =>
      [...messages.values()].toSorted((one, other) => one.sequenceNumber - other.sequenceNumber),
  };
}
