import type { InPageContext } from './in-page-context.ts';

/** A field that a hand sets by keys or by dragging, as it stands, with its box in CSS pixels. */
export type HandField =
  | {
      readonly kind: 'slider';
      readonly value: number;
      readonly min: number;
      readonly max: number;
      readonly width: number;
      readonly height: number;
      /** A divider is its own grip, and the track is the page. */
      readonly isGrip?: true;
    }
  | { readonly kind: 'parts' | 'colour'; readonly value: string };

/** Fields of several parts, which arrow keys change: https://html.spec.whatwg.org/#the-input-element */
const IN_PARTS = /^(?:date|time|datetime-local|month|week)$/;

/** Null for any other element. */
export function handField(
  { id }: { readonly id: string },
  { pageInternals }: InPageContext,
): HandField | null {
  const element = pageInternals.elementOf(id);
  if (element === undefined) return null;
  const type = element.localName === 'input' ? String(Reflect.get(element, 'type')) : '';
  if (IN_PARTS.test(type)) return { kind: 'parts', value: String(Reflect.get(element, 'value')) };
  if (type === 'color') return { kind: 'colour', value: String(Reflect.get(element, 'value')) };
  const isRange = type === 'range';
  const role = element.getAttribute('role');
  const isGrip = !isRange && role === 'separator' && element.hasAttribute('aria-valuenow');
  if (!isRange && !isGrip && role !== 'slider') return null;
  const number = (name: string, otherwise: number) => {
    const given = element.getAttribute(isRange ? name : `aria-value${name}`);
    return given === null || Number.isNaN(Number(given)) ? otherwise : Number(given);
  };
  const [min, max] = [number('min', 0), number('max', 100)];
  const { width, height } = element.getBoundingClientRect();
  const value = isRange ? Number(Reflect.get(element, 'value')) : number('now', min);
  return { kind: 'slider', value, min, max, width, height, ...(isGrip && { isGrip }) };
}
