/** A piece of prose in a file. */
export interface Prose {
  readonly kind: 'comment' | 'title' | 'string' | 'doc';
  readonly line: number;
  readonly text: string;
}

type Token =
  | { readonly kind: 'comment'; readonly line: number; readonly text: string; readonly isBlock: boolean }
  | { readonly kind: 'string'; readonly line: number; readonly text: string; readonly before: string };

const TITLE = /\b(?:test|it|describe)(?:\.\w+(?:\([^()]*\))?)*\(\s*$/;
const RULE_IDS = /^(?:\[[A-Z]+-\d+\]\s*)+/;
const TOOL_COMMENT = /^(?:biome-ignore|@vitest|@ts-|<reference|#__PURE__|[─=-]+$)/;
/** A sentence shown to a person or an agent: an error, a screen's text, a help line. */
const SENTENCE = /^[A-Z][^\n]*\s\S+\s[^\n]*[.?!]$/;
const REGEX_MAY_FOLLOW = /(?:[(,=:[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|in|of))\s*$/;
/** Characters of code before a literal, enough to find the function it is an argument of. */
const LOOK_BEHIND = 60;

/** Comments, test titles and sentences in string literals of a TypeScript file. */
export function sourceTexts(source: string, isTest: boolean): Prose[] {
  const found: Prose[] = [];
  let comment: { line: number; last: number; text: string } | undefined;
  const flush = (): void => {
    if (comment !== undefined && !TOOL_COMMENT.test(comment.text))
      found.push({ kind: 'comment', line: comment.line, text: comment.text });
    comment = undefined;
  };
  for (const token of tokensOf(source)) {
    if (token.kind === 'comment' && !token.isBlock) {
      if (comment?.last === token.line - 1) {
        comment = { ...comment, last: token.line, text: `${comment.text}\n${token.text}` };
        continue;
      }
      flush();
      comment = { line: token.line, last: token.line, text: token.text };
      continue;
    }
    flush();
    if (token.kind === 'comment') {
      if (!TOOL_COMMENT.test(token.text.trimStart()))
        found.push({ kind: 'comment', line: token.line, text: token.text });
    } else if (isTest && TITLE.test(token.before)) {
      found.push({ kind: 'title', line: token.line, text: token.text.replace(RULE_IDS, '') });
    } else if (!isTest && SENTENCE.test(token.text)) {
      found.push({ kind: 'string', line: token.line, text: token.text });
    }
  }
  flush();
  return found;
}

/**
 * A lexer for comments, strings and templates. Regular expressions are skipped because they may contain
 * quotes.
 */
function* tokensOf(source: string): Generator<Token> {
  /** Depth of braces inside each open template expression. */
  const templates: number[] = [];
  let line = 1;
  let at = 0;
  const advance = (to: number): string => {
    const text = source.slice(at, to);
    for (let i = text.indexOf('\n'); i !== -1; i = text.indexOf('\n', i + 1)) line += 1;
    at = to;
    return text;
  };
  while (at < source.length) {
    const char = source[at];
    const start = line;
    if (char === '/' && source[at + 1] === '/') {
      const end = source.indexOf('\n', at);
      const text = advance(end === -1 ? source.length : end);
      yield { kind: 'comment', line: start, text: text.slice(2).trim(), isBlock: false };
    } else if (char === '/' && source[at + 1] === '*') {
      const end = source.indexOf('*/', at + 2);
      const text = advance(end === -1 ? source.length : end + 2);
      yield { kind: 'comment', line: start, text: blockText(text), isBlock: true };
    } else if (char === '"' || char === "'") {
      const before = source.slice(Math.max(0, at - LOOK_BEHIND), at);
      const end = stringEnd(source, at, char);
      const text = advance(end);
      yield { kind: 'string', line: start, text: unescaped(text.slice(1, -1)), before };
    } else if (char === '`' || (char === '}' && templates.at(-1) === 0)) {
      const before = char === '`' ? source.slice(Math.max(0, at - LOOK_BEHIND), at) : '';
      if (char === '}') templates.pop();
      const end = templateEnd(source, at + 1);
      const isOpen = source[end] === '$';
      const text = advance(isOpen ? end + 2 : end + 1);
      if (isOpen) templates.push(0);
      const body = text.slice(1, isOpen ? -2 : -1);
      yield { kind: 'string', line: start, text: unescaped(isOpen ? `${body}…` : body), before };
    } else if (char === '/' && REGEX_MAY_FOLLOW.test(source.slice(Math.max(0, at - 12), at))) {
      advance(regexEnd(source, at));
    } else {
      const depth = templates.length - 1;
      if (char === '{' && depth >= 0) templates[depth] = (templates[depth] ?? 0) + 1;
      if (char === '}' && depth >= 0) templates[depth] = (templates[depth] ?? 0) - 1;
      advance(at + 1);
    }
  }
}

/** Keeps leading line breaks, so that line numbers stay correct. */
const blockText = (text: string): string =>
  text
    .replace(/^\/\*+|\*\/$/g, '')
    .replace(/^[ \t]*\* ?/gm, '')
    .trimEnd();

const unescaped = (text: string): string => text.replace(/\\(['"`$\\])/g, '$1').replaceAll('\\n', '\n');

/** Skips a quote that is not closed on its line: an apostrophe in JSX text. */
function stringEnd(source: string, start: number, quote: string): number {
  for (let at = start + 1; at < source.length; at += 1) {
    const char = source[at];
    if (char === '\\') at += 1;
    else if (char === quote) return at + 1;
    else if (char === '\n') return start + 1;
  }
  return start + 1;
}

function templateEnd(source: string, start: number): number {
  for (let at = start; at < source.length; at += 1) {
    const char = source[at];
    if (char === '\\') at += 1;
    else if (char === '`' || (char === '$' && source[at + 1] === '{')) return at;
  }
  return source.length;
}

function regexEnd(source: string, start: number): number {
  let inClass = false;
  for (let at = start + 1; at < source.length; at += 1) {
    const char = source[at];
    if (char === '\\') at += 1;
    else if (char === '\n') return start + 1;
    else if (char === '[') inClass = true;
    else if (char === ']') inClass = false;
    else if (char === '/' && !inClass) return at + 1;
  }
  return start + 1;
}
