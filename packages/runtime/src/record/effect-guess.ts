import type { RecordedStep } from '@drawbridge/page/recorder';
import type { EffectClass } from '@drawbridge/protocol';
import { effectOfPress } from '../grants/element-context.ts';

const ORDER: readonly EffectClass[] = ['read', 'act', 'irreversible'];

/** The highest effect class of the recorded steps. A guess that the author may correct. */
export function effectOf(steps: readonly RecordedStep[]): EffectClass {
  const gravest = Math.max(0, ...steps.map((step) => ORDER.indexOf(effectOfStep(step))));
  return ORDER[gravest] ?? 'act';
}

function effectOfStep(step: RecordedStep): EffectClass {
  if (step.kind === 'files') return 'act';
  if (step.kind !== 'click' && step.kind !== 'press') return 'read';
  const { form, element } = step;
  if (form.searches) return 'read';
  if (step.kind === 'click' && element.role === 'link') return 'read';
  const label = step.kind === 'click' ? element.name : '';
  return effectOfPress({ label, submits: form.submits, sensitive: form.sensitive, secret: false });
}
