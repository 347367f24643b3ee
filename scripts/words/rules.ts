import type { Prose } from './source-texts.ts';

export interface Finding {
  readonly file: string;
  readonly line: number;
  readonly rule: string;
  readonly sentence: string;
}

interface Sentence {
  readonly line: number;
  readonly text: string;
}

/** Openers that hide the subject of a sentence. */
const OPENERS = /^(?:What|Who|Whoever|Whose|Those|It|It’s|It's|Its|Of|One that)\b/;
const LOWER_OPENERS = new RegExp(OPENERS.source, 'i');

/** Calques, and old names that the glossary has replaced. */
const BANNED: readonly RegExp[] = [
  /\banew\b/i,
  /\bat the most\b/i,
  /\bfor so long\b|\bso long\b(?! as\b)/i,
  /\blets go\b/i,
  /\bstands in\b(?! (?:front|the way)\b)/i,
  /\bof (?:its|their|his|her) own\b/i,
  /\bmeanwhile\b/i,
  /\bnobody would miss\b/i,
  /\bhouse\b/i,
  /\bdoor\b/i,
  /\bkeeper(?:'s|’s|s)?\b/i,
  /\b(?:errand|courier|tenure|hearing|hospitality|insistence|greeting|settlement|outflow|mover|gift|outlet)s?\b/i,
  /\b(?:weigh|patiently|workplace|belonging|succession|adrift|deed|call-?off|passing-on)\b/i,
  /\bcalled off\b|\bcalls? (?:it |them )?off\b/i,
];

/** Titles have no capital; other prose is split at full stops. */
export function sentencesOf({ kind, line, text }: Prose): Sentence[] {
  const found: Sentence[] = [];
  let from = 0;
  for (const { index } of text.matchAll(/[.?!][)"”’]*\s+(?=[A-Z“"(`[])/g)) {
    found.push(sentenceAt(text, from, index + 1, line));
    from = index + 1;
  }
  found.push(sentenceAt(text, from, text.length, line));
  return found.filter(
    (sentence) => sentence.text !== '' && (kind === 'title' || /[a-z]/i.test(sentence.text)),
  );
}

function sentenceAt(text: string, from: number, to: number, line: number): Sentence {
  const start = from + (/^[\s)"”’]*/.exec(text.slice(from, to))?.[0].length ?? 0);
  const skipped = text.slice(0, start).split('\n').length - 1;
  return { line: line + skipped, text: text.slice(start, to).replace(/\s+/g, ' ').trim() };
}

/** Names of the rules that a sentence breaks. */
export function brokenBy(kind: Prose['kind'], sentence: string, isFirst: boolean): string[] {
  const bare = sentence.replace(/^[*_`“"([]+/, '');
  const opener = (kind === 'title' || (kind === 'comment' && isFirst) ? LOWER_OPENERS : OPENERS).exec(bare);
  return [
    ...(opener === null ? [] : [`opens with "${opener[0]}"`]),
    ...BANNED.flatMap((pattern) => {
      const [word] = pattern.exec(sentence) ?? [];
      return word === undefined ? [] : [`"${word}"`];
    }),
  ];
}

export function findingsIn(
  file: string,
  texts: readonly Prose[],
): { findings: Finding[]; sentences: number } {
  const findings: Finding[] = [];
  let sentences = 0;
  for (const prose of texts) {
    for (const [index, { line, text }] of sentencesOf(prose).entries()) {
      sentences += 1;
      for (const rule of brokenBy(prose.kind, text, index === 0))
        findings.push({ file, line, rule, sentence: text });
    }
  }
  return { findings, sentences };
}
