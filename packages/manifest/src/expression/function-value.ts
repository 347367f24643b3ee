/** A JSONata function: a built-in or a lambda (both are marked plain objects), or a native closure. */
export function isFunctionValue(value: unknown): boolean {
  if (typeof value === 'function') return true;
  if (typeof value !== 'object' || value === null) return false;
  return isMarked(value, '_jsonata_function') || isMarked(value, '_jsonata_lambda');
}

const isMarked = (value: object, mark: string): boolean =>
  Object.hasOwn(value, mark) && Reflect.get(value, mark) === true;
