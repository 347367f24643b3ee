import { test } from 'vitest';
import { accepts, refuses } from '../../test/validate/sample-map.ts';

const PROJECTION = 'state_projections.0';
const EXTRACT = `${PROJECTION}.snapshot.extract.0`;
const FIELD = `${EXTRACT}.fields.name`;
const DEEP = `${EXTRACT}.fields.options.fields.label`;

test('[MAN-64] an extract entry has an id, a selector, and fields to read', () => {
  accepts(EXTRACT, [
    { id: 'items', selector: 'li' },
    { id: 'items', selector: 'li', many: false, fields: {} },
  ]);
  for (const field of ['id', 'selector']) refuses(`${EXTRACT}.${field}`, [undefined], 'missing_field');
  refuses(`${EXTRACT}.id`, [7, ''], 'wrong_value');
  refuses(`${EXTRACT}.selector`, [7, {}], 'invalid_selector');
  refuses(`${EXTRACT}.many`, ['yes', 1], 'wrong_value');
  refuses(`${EXTRACT}.fields`, [[], 'name'], 'wrong_value');
  refuses(FIELD, ['.name', 7], 'wrong_value');
  refuses(`${FIELD}.selector`, [7], 'invalid_selector');
  for (const flag of ['trim', 'required']) refuses(`${FIELD}.${flag}`, ['yes', 1], 'wrong_value');
  refuses(
    `${PROJECTION}.snapshot.extract.1`,
    [{ id: 'items', selector: 'a' }],
    'duplicate_name /state_projections/0/snapshot/extract/1/id',
  );
});

test('[MAN-65] a field may have attribute, closest, default, many and fields, but not both property and attribute', () => {
  accepts(FIELD, [
    { attribute: 'href', closest: 'a', default: null },
    { selector: 'li', many: true, fields: { a: { selector: 'b', fields: { c: { property: 'value' } } } } },
  ]);
  for (const field of [FIELD, DEEP]) {
    refuses(field, [{ property: 'value', attribute: 'value' }], 'one_of_two');
    refuses(`${field}.closest`, [7, ''], 'wrong_value');
  }
});

test('[MAN-234] an entry or a field searches by xpath or by selector', () => {
  accepts(EXTRACT, [{ id: 'items', xpath: '//li[1]' }]);
  accepts(FIELD, [{ xpath: './/b', property: 'innerText' }]);
  refuses(
    `${EXTRACT}.selector`,
    [undefined],
    'missing_field /state_projections/0/snapshot/extract/0/selector',
  );
  refuses(EXTRACT, [{ id: 'items', xpath: '//li', selector: 'li' }], 'one_of_two');
  for (const field of [FIELD, DEEP]) {
    refuses(field, [{ xpath: './/b', selector: 'b' }], 'one_of_two');
    refuses(field, [{ xpath: 7 }, { xpath: '' }], `wrong_value /${field.replaceAll('.', '/')}/xpath`);
  }
});

test('[MAN-66] property is one of six', () => {
  for (const field of [FIELD, DEEP]) {
    accepts(`${field}.property`, [
      'innerText',
      'textContent',
      'value',
      'checked',
      'ariaLabel',
      'boundingClientRect',
      'tagName',
    ]);
    refuses(`${field}.property`, ['innerHTML', 'constructor', 'text', '', 7], 'wrong_value');
  }
});

test('[MAN-67] the projection is one whole slot of jsonata, and output_schema an object', () => {
  const projection = `${PROJECTION}.snapshot.projection`;
  accepts(`${projection}.expression`, ['{% records %}']);
  refuses(`${projection}.expression`, ['records'], 'expression_expected');
  refuses(`${projection}.expression`, ['all {% records %}'], 'partial_expression_unsupported');
  refuses(`${projection}.language`, ['javascript', ''], 'wrong_value');
  accepts(`${PROJECTION}.snapshot.output_schema`, [undefined, {}]);
  refuses(`${PROJECTION}.snapshot.output_schema`, [[], 'object', true], 'invalid_schema');
});

test('[MAN-68] a summary has a name and one whole slot, and may have max_bytes', () => {
  const summary = `${PROJECTION}.summaries.0`;
  for (const field of ['name', 'expression']) refuses(`${summary}.${field}`, [undefined], 'missing_field');
  refuses(`${summary}.expression`, ['$count(state)'], 'expression_expected');
  accepts(`${summary}.max_bytes`, [undefined, 1, 12_000]);
  refuses(`${summary}.max_bytes`, [0, -1, '12'], 'wrong_value');
  refuses(
    `${PROJECTION}.summaries.1`,
    [{ name: 'agent_context', expression: '{% 1 %}' }],
    'duplicate_name /state_projections/0/summaries/1/name',
  );
});

test('[MAN-69] postconditions are verify expressions by tool name', () => {
  const postconditions = `${PROJECTION}.postconditions`;
  accepts(postconditions, [undefined, {}, { 'cart.add': { verify: '{% true %}' } }]);
  accepts(postconditions, [{ 'cart.add': { verify: { language: 'jsonata', expression: '{% true %}' } } }]);
  refuses(postconditions, [[], 'text'], 'wrong_value');
  const pointer = '/state_projections/0/postconditions/cart.add';
  refuses(postconditions, [{ 'cart.add': 'true' }], `wrong_value ${pointer}`);
  refuses(postconditions, [{ 'cart.add': {} }], `missing_field ${pointer}/verify`);
  refuses(postconditions, [{ 'cart.add': { verify: 'true' } }], `expression_expected ${pointer}/verify`);
  refuses(
    postconditions,
    [{ 'cart.add': { verify: '{% 1 %}', failure_message: 7 } }],
    `wrong_value ${pointer}/failure_message`,
  );
});
