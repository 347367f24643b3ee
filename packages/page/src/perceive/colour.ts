/** `#3a9d5d` for an opaque computed colour, empty for any other. */
export function hexOf(value: string): string {
  const channels = /^rgb\((\d+), (\d+), (\d+)\)$/.exec(value)?.slice(1);
  if (channels === undefined) return '';
  return `#${channels.map((channel) => Number(channel).toString(16).padStart(2, '0')).join('')}`;
}
