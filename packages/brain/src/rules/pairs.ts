import { hasMark } from './clauses.ts';
import type { SetIntent } from './intent.ts';

const BETWEEN = /\s*,\s*(?:(?:and|und)\s+)?|\s+(?:and|und)\s+|\s*;\s*/giu;
const ARTICLE = /^(?:(?:the|my|your|a|an|der|die|das|den|dem|mein|meine|meinen)\s+)+/iu;
const NOISE = /\s+(?:field|box|feld)$/iu;
/** "name: Ada", "name = Ada", "name is Ada". */
const MARKED = /^(.+?)\s*(?::|=|\s(?:is|as|to|with|ist|auf|mit)\s)\s*(.+)$/iu;
/** "Ada as name", "Ada for the name". */
const TURNED = /^(.+?)\s+(?:as|for|als|für)\s+(?:the |my |den |die |das )?(.+)$/iu;

/** Field and value pairs: "name Ada, city Paris". */
export function pairsOf(text: string, restore: (text: string) => string): SetIntent[] {
  return joinLoose(text.split(BETWEEN).map((part) => part.trim().replace(ARTICLE, '')))
    .filter((part) => part !== '')
    .flatMap((part) => pairOf(part, restore));
}

/** A single word without a field extends the previous value: "Paris, France" or "salt and pepper". */
function joinLoose(parts: readonly string[]): string[] {
  const joined: string[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    const isMore = last !== undefined && !/[\s:=]/.test(part);
    if (isMore) joined[joined.length - 1] = `${last}, ${part}`;
    else joined.push(part);
  }
  return joined;
}

function pairOf(part: string, restore: (text: string) => string): SetIntent[] {
  const set = (field: string, value: string): SetIntent[] => [
    {
      kind: 'set',
      field: restore(field.replace(ARTICLE, '').replace(NOISE, '')),
      value: restore(value),
      by: 'type',
    },
  ];
  if (/^\S+ as /.test(part) || hasMark(part.split(' ')[0] ?? '')) {
    const turned = TURNED.exec(part);
    if (turned?.[1] !== undefined && turned[2] !== undefined) return set(turned[2], turned[1]);
  }
  const marked = MARKED.exec(part);
  if (marked?.[1] !== undefined && marked[2] !== undefined) return set(marked[1], marked[2]);
  const words = part.split(' ');
  if (words.length < 2) return [];
  const quote = words.findIndex((word, index) => index > 0 && hasMark(word));
  if (quote > 0) return set(words.slice(0, quote).join(' '), words.slice(quote).join(' '));
  const capital = words.findIndex((word, index) => index > 0 && /^[\p{Lu}\p{N}+]|@/u.test(word));
  const cut = capital > 0 ? capital : 1;
  const [loose] = set(words.slice(0, cut).join(' '), words.slice(cut).join(' '));
  return loose === undefined ? [] : [words.length === 2 ? loose : { ...loose, isLoose: true }];
}
