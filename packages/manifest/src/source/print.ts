/** The format of written maps: two spaces, the author's key order, a final line break. */
export const printMap = (map: unknown): string => `${JSON.stringify(map, null, 2)}\n`;
