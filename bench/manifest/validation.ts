import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validate } from '@drawbridge/manifest';
import { type Figure, figure } from '../../scripts/bench/figure.ts';
import { nanosecondsEach, printTable } from '../measure.ts';

/** Validating a map of about 1 MB, beside JSON.parse of the same text. */

const SHOP = join(import.meta.dirname, '../../maps/shop/actions.json');
const WANTED_CHARS = 1_000_000;
const OPTIONS = { rounds: 7, callsARound: 3 };

/** The shop's tools repeated under different names. */
function hugeMap(): string {
  const map = JSON.parse(readFileSync(SHOP, 'utf8'));
  const copies = Math.ceil(WANTED_CHARS / JSON.stringify(map.tools).length);
  const tools = Array.from({ length: copies }, (_, copy) =>
    map.tools.map((tool: { name: string }) => ({ ...tool, name: `copy${copy}.${tool.name}` })),
  ).flat();
  return JSON.stringify({ ...map, tools: [...map.tools, ...tools] });
}

export function benchValidation(): readonly Figure[] {
  const text = hugeMap();
  const broken = text.replace('"primitive"', '"primitve"');
  const { ok, errors } = validate(text);
  if (!ok) throw new Error(`The large map is not valid: ${errors[0]?.pointer} ${errors[0]?.message}`);
  const floor = nanosecondsEach(() => JSON.parse(text), OPTIONS);
  const sound = nanosecondsEach(() => validate(text), OPTIONS);
  const faulty = nanosecondsEach(() => validate(broken), OPTIONS);
  const row = (name: string, time: number) => [name, (time / 1e6).toFixed(1), (time / floor).toFixed(1)];
  console.log(`\nA map of ${(text.length / 1e6).toFixed(2)} million characters`);
  printTable(
    ['', 'ms', '× JSON.parse'],
    [row('JSON.parse', floor), row('validate, valid', sound), row('validate, one error', faulty)],
  );
  return [
    figure({
      id: 'manifest.validate',
      what: `validating a map of ${(text.length / 1e6).toFixed(2)} million characters`,
      unit: 'ms',
      better: 'less',
      ours: sound / 1e6,
      beside: [{ name: 'JSON.parse', value: floor / 1e6 }],
      how: `median of ${OPTIONS.rounds} rounds`,
    }),
  ];
}
