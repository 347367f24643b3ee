/** Default name of a device at pairing; its inviter may rename it. */
export function deviceLabel(): string {
  const data: unknown = Reflect.get(navigator, 'userAgentData');
  const platform: unknown =
    typeof data === 'object' && data !== null ? Reflect.get(data, 'platform') : undefined;
  return `Browser on ${platform || navigator.platform || 'a device'}`;
}
