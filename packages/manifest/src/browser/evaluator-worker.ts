import { openEngine } from '../expression/engine.ts';
import { type EvaluationRequest, READY } from '../expression/messages.ts';

/**
 * The entry of a browser's evaluator worker; an app bundles it into one classic script. What it needs of
 * the browser it takes hold of first: the engine leaves nothing of it in the realm.
 */
const post = self.postMessage.bind(self);
const { port1: near, port2: far } = new MessageChannel();
/** A message to oneself comes in a later turn, and sooner than the shortest timer. */
const nextTurn = () =>
  new Promise<void>((resolve) => {
    near.onmessage = () => resolve();
    far.postMessage(null);
  });
const opening = openEngine(nextTurn);

self.addEventListener('message', ({ data }: MessageEvent<EvaluationRequest>) => {
  void opening.then((answer) => answer(data)).then((answered) => post(answered));
});
void opening.then(() => post(READY));
