import { expect, test } from 'vitest';
import { createGate } from './gate.ts';

test('holds every waiter until it is opened', async () => {
  const gate = createGate();
  const events: string[] = [];
  const walk = async (name: string) => {
    await gate.passed();
    events.push(name);
  };
  const walks = [walk('first'), walk('second')];
  await gate.reached;
  events.push('opening');
  gate.open();
  await Promise.all(walks);
  expect(events).toEqual(['opening', 'first', 'second']);
});

test('lets every waiter through while open, and holds again once shut', async () => {
  const gate = createGate('open');
  await gate.passed();
  gate.shut();
  let through = false;
  const later = gate.passed().then(() => {
    through = true;
  });
  await gate.reached;
  expect(through).toBe(false);
  gate.open();
  await later;
  expect(through).toBe(true);
});
