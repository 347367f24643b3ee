const PLACES: Readonly<Record<string, string>> = {
  up: 'up',
  down: 'down',
  left: 'to the left',
  right: 'to the right',
  top: 'to the top',
  bottom: 'to the end',
};

const placeOf = (place: string): string => PLACES[place] ?? 'down';

/** A step's action as a sentence. `does` has its words for each action of the brain. */
export const stepWordsEn = {
  named: (subject: string) => `“${subject}”`,
  numbered: (id: string) => `element ${id}`,
  isPlace: (text: string) => Object.hasOwn(PLACES, text),
  /** An action that only another program knows. */
  other: (name: string, thing: string) => `Do “${name}”${thing === '' ? '' : ` with ${thing}`}`,
  does: {
    click: (thing: string) => `Press ${thing}`,
    setValue: (thing: string, text: string) => `Write “${text}” into ${thing}`,
    select: (thing: string, option: string) => `Choose “${option}” in ${thing}`,
    check: (thing: string) => `Tick ${thing}`,
    uncheck: (thing: string) => `Untick ${thing}`,
    press: (thing: string, keys: string) => `Press the key ${keys} in ${thing}`,
    pressKey: (_: string, __: string, keys: string) => `Press the key ${keys}`,
    hover: (thing: string) => `Point at ${thing}`,
    navigate: (_: string, __: string, url: string) => `Go to ${url}`,
    back: () => 'Go back',
    wait: (_: string, __: string, text: string) =>
      text === '' ? 'Wait until the page is quiet' : `Wait for “${text}”`,
    pause: (_: string, __: string, seconds: string) => `Wait ${seconds} s`,
    call: (tool: string, input: string) => `Use ${tool}${input === '' ? '' : `: ${input}`}`,
    scroll: (_: string, __: string, place: string) => `Scroll ${placeOf(place)}`,
    scrollTo: (thing: string, place: string) =>
      place === '' ? `Scroll to ${thing}` : `Scroll ${placeOf(place)} in ${thing}`,
    finish: (_: string, __: string, text: string) => (text === '' ? 'Finish' : `Finish: ${text}`),
    fail: (_: string, __: string, text: string) => (text === '' ? 'Give up' : `Give up: ${text}`),
  },
};
