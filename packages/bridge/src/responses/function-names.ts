/** https://platform.openai.com/docs/api-reference/responses/create: a function's name has no dots. */
const FUNCTION_NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const MAX_CHARS = 64;

/** Maps action names to names that a Responses model may use, and back. */
export type FunctionNames = ReturnType<typeof createFunctionNames>;

/**
 * `cart.add` becomes `cart__add`; a valid name stays. On a collision or overlong name, a suffix is derived
 * from the action's own name, independent of the order.
 */
export function createFunctionNames(actions: readonly string[]) {
  const all = [...new Set(actions)];
  const plain = new Map<string, number>();
  for (const action of all) plain.set(flat(action), (plain.get(flat(action)) ?? 0) + 1);

  const functions = new Map<string, string>();
  const back = new Map<string, string>();
  const give = (action: string, name: string): void => {
    functions.set(action, name);
    back.set(name, action);
  };
  const [fitting, others] = [all.filter(fits), all.filter((action) => !fits(action))];
  for (const action of fitting) give(action, action);
  for (const action of others) {
    const name = flat(action);
    const clear = fits(name) && plain.get(name) === 1 && !back.has(name);
    give(action, clear ? name : marked(action, back));
  }
  return {
    /** Undefined for an action that was not given. */
    toFunction: (action: string): string | undefined => functions.get(action),
    toAction: (name: string): string | undefined => back.get(name),
  };
}

const fits = (name: string): boolean => FUNCTION_NAME.test(name);

const flat = (action: string): string => action.replaceAll('.', '__').replaceAll(/[^a-zA-Z0-9_-]/g, '_');

function marked(action: string, taken: ReadonlyMap<string, string>): string {
  for (let round = 0; ; round++) {
    const mark = `_${hash(`${action}/${round}`).toString(16).padStart(8, '0')}`;
    const name = flat(action).slice(0, MAX_CHARS - mark.length) + mark;
    if (!taken.has(name)) return name;
  }
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value >>> 0;
}
