/** Reads one line from left to right. */
export class LineReader {
  readonly line: string;
  private place = 0;

  constructor(line: string) {
    this.line = line;
  }

  atEnd(): boolean {
    return this.place >= this.line.length;
  }

  /** Whether one of these characters is next, and none of the exceptions. */
  isAt(characters: string, except = ''): boolean {
    const next = this.line.charAt(this.place);
    return next === '' || (characters.includes(next) && !except.includes(next));
  }

  take(): string {
    const next = this.line.charAt(this.place);
    this.place += 1;
    return next;
  }

  skip(character: string): boolean {
    const found = this.line.charAt(this.place) === character;
    if (found) this.place += 1;
    return found;
  }

  /** A quoted text, or the text before one of the ends. */
  text(ends: string): string {
    if (this.line.charAt(this.place) === '"') return this.quoted();
    const start = this.place;
    while (!this.atEnd() && !ends.includes(this.line.charAt(this.place))) this.place += 1;
    return this.line.slice(start, this.place);
  }

  /** A quoted text, or the text before a space that is followed by one of the marks. */
  name(marks: string): string {
    if (this.line.charAt(this.place) === '"') return this.quoted();
    const start = this.place;
    while (!this.atEnd() && !this.isMarkAhead(marks)) this.place += 1;
    return this.line.slice(start, this.place);
  }

  numbers(): number[] {
    return this.text(' ').split(',').map(Number);
  }

  private isMarkAhead(marks: string): boolean {
    const mark = this.line.charAt(this.place + 1);
    return this.line.charAt(this.place) === ' ' && mark !== '' && marks.includes(mark);
  }

  private quoted(): string {
    const match = /"(?:[^"\\]|\\.)*"/y;
    match.lastIndex = this.place;
    const found = match.exec(this.line)?.[0];
    if (found === undefined) throw new Error(`A quote without its end: ${this.line}`);
    this.place += found.length;
    const text: unknown = JSON.parse(found);
    return typeof text === 'string' ? text : '';
  }
}
