import type { Echoes } from '@drawbridge/protocol/secrets';
import { isText } from '../perceive/text.ts';

/** Whether a page shows a code with one box per digit. */
export function hasSplitEcho(roots: Iterable<Document | ShadowRoot>, { codes, numbers }: Echoes): boolean {
  const looked = [...codes, ...numbers];
  return (
    looked.length > 0 &&
    [...roots].some((root) => digitRuns(root).some((run) => looked.some((code) => run.includes(code))))
  );
}

/** Runs of single-digit texts without other text between them. */
function digitRuns(root: Document | ShadowRoot): string[] {
  const walker = (root.ownerDocument ?? document).createTreeWalker(root, 4);
  const runs = [''];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = isText(node) ? node.data.trim() : '';
    if (text === '') continue;
    if (/^\d$/.test(text)) runs.push(`${runs.pop()}${text}`);
    else if (runs.at(-1) !== '') runs.push('');
  }
  return runs;
}
