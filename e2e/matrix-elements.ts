/** The page and the map for every cell of the matrix. */

const PARTS = `<h1>Garden</h1><p id="water">Water:</p><p id="depth">deep</p>
<button id="can" onclick="water.textContent += ' drop'">Water</button>
<button id="pay">Pay for the roses</button>
<button id="lamp" onclick="document.body.toggleAttribute('data-fire')">Lamp</button>`;

export const matrixPage = (title: string, scripts: string): string =>
  `<!doctype html><meta charset="utf-8"><title>${title}</title>${PARTS}${scripts}`;

const tool = (name: string, fields: object) => ({
  name,
  description: `Does ${name}.`,
  input_schema: { type: 'object', additionalProperties: false },
  ...fields,
});

const workflow = (steps: readonly object[], output = "{% {'done': true} %}") => ({
  version: 1,
  expression_language: 'jsonata',
  steps,
  output,
});

const press = (id: string) =>
  workflow([
    { id: 'find', primitive: 'locator.element_info', args: { locator: { selector: `#${id}` } } },
    {
      id: 'press',
      primitive: 'pointer.click',
      args: {
        x: '{% steps.find.output.clickable_center.x %}',
        y: '{% steps.find.output.clickable_center.y %}',
      },
    },
  ]);

const measure = workflow(
  [{ id: 'read', primitive: 'locator.text_content', args: { locator: { selector: '#depth' } } }],
  "{% {'metres': steps.read.output.text} %}",
);

const acts = { effect: 'act' };
const metres = {
  type: 'object',
  required: ['metres'],
  properties: { metres: { type: 'number' } },
};

export const MATRIX_MAP = {
  protocol: 'actions.json',
  version: 1,
  tools: [
    tool('garden.water', {
      input_schema: {
        type: 'object',
        properties: { litres: { type: 'number' } },
        additionalProperties: false,
      },
      workflow: press('can'),
      x_actions: acts,
    }),
    tool('garden.pay', { workflow: press('pay'), x_actions: { effect: 'irreversible' } }),
    tool('garden.magic', { x_actions: { ...acts, handler: 'localStorage.clear' } }),
    tool('garden.measure', { workflow: measure, x_actions: { effect: 'read', result_schema: metres } }),
    tool('garden.pick', { workflow: press('can'), x_actions: acts, target: { state: 'rose_there' } }),
    tool('garden.prune', { workflow: press('can'), x_actions: acts }),
    tool('garden.spray', { workflow: press('can'), x_actions: acts, requires: ['garden.hose'] }),
  ],
  states: [
    {
      name: 'rose_there',
      description: 'A rose.',
      diagnostics: [{ name: 'rose', target: { selector: '#rose' } }],
    },
  ],
  checks: [
    {
      id: 'shears_there',
      description: 'The shears hang where garden.prune looks for them.',
      severity: 'major',
      assertions: [{ tool: 'garden.prune', target: { selector: '#shears' }, visible: true }],
    },
    {
      id: 'no_fire',
      description: 'Nobody gardens in a fire.',
      severity: 'critical',
      assertions: [{ target: { selector: 'body:not([data-fire])' }, visible: true }],
    },
  ],
};
