import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { fieldsOf, fieldTable } from './field-table.ts';
import { plain } from './schema-node.ts';

const Hello = Type.Object({
  name: Type.String(),
  resume: Type.Optional(
    Type.Object({
      sessions: Type.Array(Type.Object({ id: Type.String(), last: Type.Optional(Type.Integer()) })),
    }),
  ),
});

test('fields of unnamed objects follow the field that holds them', () => {
  expect(fieldsOf(plain(Hello), []).map(({ path, required }) => [path, required])).toEqual([
    ['name', true],
    ['resume', false],
    ['resume.sessions', true],
    ['resume.sessions[].id', true],
    ['resume.sessions[].last', false],
  ]);
});

test('a named object is not expanded: it has a table', () => {
  const shapes = [{ name: 'Resume', node: plain(Hello.properties.resume) }];
  expect(fieldsOf(plain(Hello), shapes).map(({ path }) => path)).toEqual(['name', 'resume']);
});

test('a note on one message wins over a note on the field', () => {
  const notes = { name: 'any name', 'hello.name': 'the name of the client' };
  const fields = fieldsOf(plain(Type.Object({ name: Type.String() })), []);
  const rowOf = (owner: string) => fieldTable(fields, { shapes: [], notes, owner }).split('\n')[2];
  expect(rowOf('hello')).toBe('| `name` | string | yes | the name of the client |');
  expect(rowOf('bye')).toBe('| `name` | string | yes | any name |');
});
