import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Writes the text to a file in a new folder. */
export function fileWith(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'map-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'actions.json');
  writeFileSync(file, text);
  return file;
}

export const SMALL = '{"protocol":"actions.json","version":1,"tools":[]}';

export const BROKEN = `{
  "protocol": "actions.json",
  "version": 1,
  "tools": [],
  "surface": { "name": "A shop with a very long name that no terminal of a phone could ever show", "kind": 7 },
  "transitions": [{ "name": "open", "from": "closed", "tool": "door.open" }]
}`;

export const DRAFT = '{"protocol":"actions.json","version":"0.1.0-working","tools":[],"skill":"SKILL.md"}';

export const CLICKS = JSON.stringify({
  protocol: 'actions.json',
  version: 1,
  tools: [
    {
      name: 'door.open',
      description: 'Open the door.',
      input_schema: { type: 'object', properties: { key: { type: 'string' } }, required: ['key'] },
      workflow: {
        version: 1,
        expression_language: 'jsonata',
        steps: [{ id: 'press', primitive: 'pointer.click', args: { x: 10, y: 20 } }],
      },
    },
  ],
});
