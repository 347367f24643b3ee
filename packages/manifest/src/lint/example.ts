import type { Tool, WorkflowStep } from '@drawbridge/protocol/manifest';

/** Shared parts of the rules' examples. */
export const INPUT = { type: 'object', additionalProperties: false };

export const find = (selector: string, more: Partial<WorkflowStep> = {}): WorkflowStep => ({
  id: 'find',
  primitive: 'locator.element_info',
  args: { locator: { selector } },
  ...more,
});

export const press = (more: Partial<WorkflowStep> = {}): WorkflowStep => ({
  id: 'press',
  primitive: 'pointer.click',
  args: { x: '{% steps.find.output.clickable_center.x %}', y: '{% steps.find.output.clickable_center.y %}' },
  ...more,
});

export const verify = (selector: string): WorkflowStep => ({
  id: 'verify',
  primitive: 'locator.wait_for',
  args: { locator: { selector }, timeout_ms: 2000 },
});

export const toolOf = (steps: WorkflowStep[], more: Partial<Tool> = {}): Tool => ({
  name: 'cart.add',
  description: 'Put the product of this page into the cart.',
  input_schema: INPUT,
  workflow: { version: 1, expression_language: 'jsonata', steps },
  ...more,
});
