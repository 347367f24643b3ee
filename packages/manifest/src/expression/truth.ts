/** JSONata's own idea of true, `$boolean`: empty lists, objects and strings are false, like a missing path. */
export function isTrue(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isTrue);
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}
