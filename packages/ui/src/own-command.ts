/** How this page's reader calls Drawbridge in a terminal: whoever served or unpacked the page named it. */
export const ownCommand = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name="drawbridge-command"]')?.content || 'drawbridge';

/** Names that command in a text that calls it `drawbridge`, as the relay's errors do. */
export const withOwnCommand = (text: string, own = ownCommand()): string =>
  text.replaceAll(/(?<![\w./@-])drawbridge (?=[a-z])/g, () => `${own} `);
