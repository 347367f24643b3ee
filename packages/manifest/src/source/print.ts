/** How Drawbridge writes a map: two spaces, the author's order of keys, a line break at the end. */
export const printMap = (map: unknown): string => `${JSON.stringify(map, null, 2)}\n`;
