import type { GeneratedFile } from './file.ts';
import { GENERATED, page, table } from './markdown.ts';
import { messagesOf } from './messages.ts';
import { REFERENCE_PAGES, type ReferencePage } from './reference-pages.ts';

export const generateReferenceIndex = (): GeneratedFile => ({
  path: 'docs/reference/README.md',
  text: page([
    GENERATED,
    '# Reference',
    'Everything that crosses a wire, for people who write a client. `npm run gen` writes all of it from the schemas in `packages/protocol`, and the checks fail when it is stale: change a schema or its notes, never these files.',
    table(
      ['page', 'messages'],
      REFERENCE_PAGES.map((reference) => [
        `[${reference.title}](messages/${reference.family}.md)`,
        String(countMessages(reference)),
      ]),
    ),
    [
      '- [Error codes](error-codes.md): what each means, how bad it is, whether trying again can help.',
      '- [Limits](limits.md): how long, how many, how deep.',
      '- [Primitives](primitives.md): what a runtime can do on a page, with arguments and outputs.',
      '- [Codes, selectors, transports, hosts](bridge-matrix.md): what brings each error about, shown everywhere.',
      '- [Who may send which chat frame](chat-matrix.md): every role, every frame, and what comes of it.',
      '- [What validating a map can say](map-errors.md) and [what lint finds in one](map-lint.md).',
      '- [What a relay logs](log.md), line by line.',
      '- [Long runs](reliability.md): what kills, faults, a compressed year and full load left behind.',
      '- [actions.v1.json](../schema/actions.v1.json): the JSON Schema of a map, for editors.',
      '- [asyncapi.json](asyncapi.json): the WebSockets as an AsyncAPI 3.0 document.',
      '- [openapi.json](openapi.json): the HTTP endpoints as an OpenAPI 3.1 document.',
    ].join('\n'),
    '## How to read the tables',
    [
      '- A dot goes into an object (`target.runtime_id`), `[]` into each entry of a list (`sessions[].status`), `*` into each value of a map.',
      '- *Required* is about the object that holds the field: `resume.sessions` is required in `resume`, which itself is not.',
      '- A name in the type column stands for a small type that the top of the page explains, or links to an object further down.',
      '- A whole number is 0 or more unless its notes say otherwise.',
      '- An optional field is left out, not sent as `null`, unless its type says `null`.',
      '- Fields that no table names do no harm, except in an object that is called closed.',
    ].join('\n'),
    'To try your own messages: `drawbridge wire check chat frames.jsonl` reads one per line and reports what is wrong with each, and where.',
  ]),
});

const countMessages = ({ parts }: ReferencePage): number =>
  parts.flatMap(({ protocol }) => messagesOf(protocol)).length;
