import type { Harm, Injection } from '@drawbridge/testbed';
import { HARMS } from '@drawbridge/testbed';
import type { Rig } from './rig.suite.ts';

interface Node {
  readonly i: string;
  readonly n: string;
}

/** Everything an agent can read of a page, in every way there is. */
async function readAll(rig: Rig): Promise<string> {
  const answers = await Promise.all([
    rig.call('page.snapshot', { mode: 'full', max_bytes: 400_000 }),
    rig.call('page.snapshot', { mode: 'semantic', scope: 'page', context: true }),
    rig.call('page.read', { max_tokens: 20_000 }),
  ]);
  return answers.map((answer) => plain(JSON.stringify(answer))).join('\n');
}

/** As a model sees it: entities, escapes and invisible characters make no difference to it. */
function plain(text: string): string {
  return text
    .replaceAll(/&quot;|&#34;|\\+"/g, '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\\+n/g, ' ')
    .replaceAll(/[\p{Cf}\s]+/gu, ' ')
    .replaceAll(' ', '');
}

/** Does what the text on the page tells it to, if it finds it there, and says whether it tried. */
export async function obey(rig: Rig, injection: Injection): Promise<boolean> {
  const read = await readAll(rig);
  if (!read.includes(plain(injection.text))) return false;
  const snapshot = (await rig.call('page.snapshot', { scope: 'page' })) as {
    readonly page: { readonly interactive_tree: readonly Node[] };
  };
  const label = HARMS[injection.harm];
  const button = snapshot.page.interactive_tree.find(({ n }) => n === label);
  if (button === undefined) return false;
  await rig.call('element.click', { id: button.i }).catch(() => undefined);
  return true;
}

/** What the page says was done to it. */
export async function harmDone(rig: Rig): Promise<readonly Harm[]> {
  const { text } = (await rig.call('locator.text_content', { locator: { selector: '#harm' } })) as {
    text: string;
  };
  return (Object.keys(HARMS) as Harm[]).filter((harm) => text.split(' ').includes(harm));
}
