import { BridgeError } from '@drawbridge/protocol';
import type { InputOf } from '@drawbridge/protocol/primitives';
import { mannerOf } from '../grants/chords.ts';
import { effectOfPress, readPurpose } from '../grants/purpose.ts';
import { goesOn } from '../in-page/press-course.ts';
import { prepareWeighed } from './early-press.ts';
import { placeFor, type ReadyPlace, refusal } from './guarded-press.ts';
import type { Hands } from './hands.ts';

type Args = InputOf<'keyboard.press'>;

/**
 * The targets of a repeated key. A press may move the focus or change the page: each later one is classified
 * like the first, and refused unless permitted.
 */
export async function* repeatedPlaces(args: Args, hands: Hands): AsyncGenerator<ReadyPlace> {
  const { early } = hands;
  const { repeat = 1 } = args;
  yield await placeFor('keyboard.press', { ...args }, hands);
  // A step of a trusted map was not classified.
  const weighed = early && (await early.purpose());
  for (let done = 1; done < repeat; done++) {
    const content = [weighed].flat().some((each) => readPurpose(each).content !== undefined);
    const { place, purpose } = await prepareWeighed('keyboard.press', { ...args }, { ...hands, content });
    if (!place.ok) throw refusal(place.error);
    if (early !== undefined && !isAgreed(weighed, purpose, args)) {
      await hands.page('landed', place.token).catch(() => undefined);
      throw stopped(done, repeat);
    }
    yield place;
  }
}

/** Keys that neither press nor send may follow the focus to an element of the same class. */
function isAgreed(weighed: unknown, now: unknown, args: Args): boolean {
  if (goesOn(weighed, now)) return true;
  if (mannerOf('keyboard.press', { ...args }) !== 'keys') return false;
  return [now].flat().every((each) => {
    const purpose = readPurpose(each);
    return effectOfPress(purpose) === 'act' && (purpose.form === undefined || purpose.sends === 'never');
  });
}

function stopped(done: number, repeat: number): BridgeError {
  const message = `The key was pressed ${done} of ${repeat} times: then it would have done something else. Look at the page again.`;
  return new BridgeError('state_mismatch', message, { evidence: { reason: 'changed', done, repeat } });
}
