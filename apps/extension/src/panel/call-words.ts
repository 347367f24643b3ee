import type { Words } from '@drawbridge/ui/model';
import type { PanelWords } from './words/en.ts';

const PRIMITIVE =
  /^(?:browser|clipboard|dom|element|inspect|keyboard|locator|overlay|page|pointer|runtime|storage|text|transfer|viewport)\./;

/** A running call for a person, by the name of its primitive or of a map's tool. */
export function callWords(name: string, { prompt }: Words, { tab }: PanelWords): string {
  const does: Readonly<Record<string, (thing: string) => string>> = prompt.does;
  const says = Object.hasOwn(does, name) ? does[name] : undefined;
  if (says !== undefined) return says(prompt.something);
  return PRIMITIVE.test(name) ? tab.working : prompt.uses(prompt.named(name));
}
