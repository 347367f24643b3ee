import { openEngine } from '../expression/engine.ts';
import { type EvaluationRequest, READY } from '../expression/messages.ts';

/**
 * Entry of a browser's evaluator worker, bundled by an app into one classic script. Browser functions are
 * saved first, because the engine removes them from the realm.
 */
const post = self.postMessage.bind(self);
const { port1: near, port2: far } = new MessageChannel();
/** A message to itself arrives in a later turn, sooner than the shortest timer. */
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
