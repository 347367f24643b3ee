import { mayContinue } from '@drawbridge/page/calls';
import { BridgeError } from '@drawbridge/protocol';
import type { InputOf } from '@drawbridge/protocol/primitives';
import { mannerOf } from '../grants/chords.ts';
import { effectOfPress, readElementContext } from '../grants/element-context.ts';
import { preparePress, type ReadyPress, readyPressFor, refusal } from './guarded-press.ts';
import type { HandlerContext } from './handler-context.ts';

type Args = InputOf<'keyboard.press'>;

/**
 * The targets of a repeated key. A press may move the focus or change the page: each later one is classified
 * like the first, and refused unless permitted.
 */
export async function* repeatedPaths(args: Args, context: HandlerContext): AsyncGenerator<ReadyPress> {
  const { prepared } = context;
  const { repeat = 1 } = args;
  yield await readyPressFor('keyboard.press', { ...args }, context);
  // A step of a trusted map was not classified.
  const before = prepared?.elementContext;
  for (let done = 1; done < repeat; done++) {
    const content = [before].flat().some((each) => readElementContext(each).content !== undefined);
    const { press, elementContext } = await preparePress(
      'keyboard.press',
      { ...args },
      { ...context, content },
    );
    if (!press.ok) throw refusal(press.error);
    if (prepared !== undefined && !isAgreed(before, elementContext, args)) {
      await context.page('releasePress', press.token).catch(() => undefined);
      throw stopped(done, repeat);
    }
    yield press;
  }
}

/** Keys that neither press nor send may follow the focus to an element of the same class. */
function isAgreed(before: unknown, now: unknown, args: Args): boolean {
  if (mayContinue(before, now)) return true;
  if (mannerOf('keyboard.press', { ...args }) !== 'keys') return false;
  return [now].flat().every((each) => {
    const elementContext = readElementContext(each);
    return (
      effectOfPress(elementContext) === 'act' &&
      (elementContext.form === undefined || elementContext.sends === 'never')
    );
  });
}

function stopped(done: number, repeat: number): BridgeError {
  const message = `The key was pressed ${done} of ${repeat} times: then it would have done something else. Look at the page again.`;
  return new BridgeError('state_mismatch', message, { evidence: { reason: 'changed', done, repeat } });
}
