/** A numbered rule of docs/spec: `- **CHT-07** (ours) text`. */
export interface Rule {
  readonly id: string;
  readonly text: string;
  readonly ours: boolean;
}

export interface SpecDocument {
  readonly name: string;
  readonly rules: readonly Rule[];
}

const RULE_LINE = /^- \*\*([A-Z]{3}-\d{2,})\*\* (\(ours\) )?(\S.*)$/;
const RULE_IN_TITLE = /\[([A-Z]{3}-\d+)\]/g;

/** Throws on a rule that is out of order or malformed, so that a number never means two things. */
export function readDocument(name: string, markdown: string): SpecDocument {
  const rules = markdown
    .split('\n')
    .filter((line) => line.startsWith('- '))
    .map((line) => readRule(name, line));
  rules.forEach(({ id }, index) => {
    if (Number(id.slice(4)) !== index + 1) throw new Error(`${name}: ${id} is out of order.`);
    if (id.slice(0, 3) !== rules[0]?.id.slice(0, 3)) throw new Error(`${name}: ${id} has another prefix.`);
  });
  return { name, rules };
}

function readRule(document: string, line: string): Rule {
  const [, id, ours, text] = RULE_LINE.exec(line) ?? [];
  if (id === undefined || text === undefined)
    throw new Error(`${document}: not a rule: ${line.slice(0, 80)}`);
  return { id, text, ours: ours !== undefined };
}

/** Ids of the rules in a test title. */
export function rulesIn(title: string): string[] {
  return [...title.matchAll(RULE_IN_TITLE)].flatMap(([, id]) => (id === undefined ? [] : [id]));
}
