/** How the relay's owner calls Drawbridge in a terminal of its machine: the served page names it. */
export const ownCommand = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name="drawbridge-command"]')?.content || 'drawbridge';
