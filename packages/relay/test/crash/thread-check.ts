import { type FrameOf, openPeer } from '../server/test-relay.ts';
import type { ThreadTokens } from './thread-cast.ts';

/** A conversation with presses, as a person who opens it now sees it. */
export interface ToldThread {
  /** Questions that wait, in every session. */
  readonly prompts: readonly string[];
  /** Steps and calls under way. */
  readonly open: readonly string[];
  /** Status of each press, by the id of its element. */
  readonly presses: ReadonlyMap<string, string>;
  /** Message of the last tool call that an agent of a proxy has ended. */
  readonly lastCall: string | undefined;
}

const PAGE = 300;
const MOST_PAGES = 6;
const OPEN = /running|pending/;

export async function toldThread(
  url: string,
  person: ThreadTokens['person'],
  session_id: string,
  /** Looks further back while one of these presses is not there: a life may have more steps than a page. */
  sought: Iterable<string> = [],
): Promise<ToldThread> {
  const screen = await openPeer(url, { token: person, device_id: '', role: 'person' });
  screen.send({ type: 'connection_hello', peer_role: 'browser', client_name: 'test' });
  const { open_prompts = [] } = await screen.next('connection_ack');
  const messages: FrameOf<'history_snapshot'>['messages'] = [];
  const missing = new Set(sought);
  let before_sequence: number | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const before = before_sequence === undefined ? {} : { before_sequence };
    screen.send({ type: 'history_request', session_id, limit: PAGE, ...before });
    const snapshot = await screen.next('history_snapshot');
    messages.unshift(...snapshot.messages);
    for (const { content } of snapshot.messages) missing.delete(pressIn(content));
    before_sequence = snapshot.before_sequence;
    if (missing.size === 0 || before_sequence === undefined) break;
  }
  await screen.close();
  const told = messages.map(({ message_id, content, metadata }) => {
    const details = JSON.stringify(metadata ?? {});
    const [, status = ''] = /"status":"(\w+)"/.exec(details) ?? [];
    const id = pressIn(content);
    const isCall = details.includes('"kind":"tool_call"');
    const isStep = details.includes('"kind":"step"');
    return { message_id, content, status, isCall, id: isStep ? id : '' };
  });
  return {
    prompts: open_prompts.map(({ prompt_text }) => prompt_text),
    open: told.flatMap(({ content, status }) => (OPEN.test(status) ? [content] : [])),
    presses: new Map(told.flatMap(({ id, status }) => (id === '' ? [] : [[id, status] as const]))),
    lastCall: told.findLast(({ isCall, status }) => isCall && !OPEN.test(status))?.message_id,
  };
}

const pressIn = (content: string): string => /(?:element |“|“Pay )(p\d+)[ ”]/.exec(content)?.[1] ?? '';

/** How often each press was done, by the id of its element; further facts where they are known. */
export interface DonePress {
  readonly times: number;
  readonly isDenied?: boolean;
  /** The agent was told that it is done. */
  readonly isDone?: boolean;
  /** The agent never got the order. */
  readonly isUnsent?: boolean;
}

/** Every way in which the conversation contradicts the tab. */
export function contradictions(
  { prompts, open, presses }: ToldThread,
  done: ReadonlyMap<string, DonePress>,
): readonly string[] {
  const wrong = [...done].flatMap(([id, { times, isDenied, isDone, isUnsent }]) => {
    const status = presses.get(id);
    const isNever = status === undefined || status === 'failed' || isDenied || isUnsent;
    const fits =
      times <= (isNever ? 0 : 1) &&
      (status !== 'ok' || times === 1) &&
      (!isDone || status === 'ok' || status === 'unknown');
    const facts = `${isDenied ? ', denied' : ''}${isDone ? ', told as done' : ''}${isUnsent ? ', not sent' : ''}`;
    return fits ? [] : [`${id} reads ${status} and was pressed ${times} times${facts}`];
  });
  return [...prompts.map((text) => `asks: ${text}`), ...open.map((text) => `open: ${text}`), ...wrong];
}
