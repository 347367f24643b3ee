const MOST_INSIDE = 20;
const MOST_NAMES = 40;
const NAMING = ['data-icon', 'data-lucide', 'data-feather', 'icon', 'name'];

/** Emoji that stand for an act in place of words. */
const EMOJI: Readonly<Record<string, string>> = {
  '🗑': 'trash',
  '🚮': 'trash',
  '💣': 'bomb',
  '💳': 'credit card',
  '💰': 'money',
  '💵': 'money',
  '💶': 'money',
  '💷': 'money',
  '💴': 'money',
  '💸': 'money',
  '🪙': 'money',
  '📤': 'send',
};

/** Names of the icons on a control that has no words: `icon fa-trash`. The word table knows the ones that commit. */
export function iconNamesOf(control: Element): string[] {
  const names = [control, ...control.querySelectorAll('*')]
    .slice(0, MOST_INSIDE)
    .flatMap((each) => [...each.classList, ...attributesOf(each), ...drawingsOf(each)]);
  const emoji = Object.entries(EMOJI).filter(([sign]) => control.textContent?.includes(sign));
  return [...new Set([...emoji.map(([, name]) => name), ...names])]
    .filter((name) => /\p{L}{3}/u.test(name))
    .slice(0, MOST_NAMES)
    .map((name) => `icon ${name}`);
}

const attributesOf = (element: Element): string[] =>
  NAMING.map((name) => element.getAttribute(name) ?? '').filter((name) => name.length <= 40);

/** Names of image files, sprites and masks: `trash` of `/icons/trash.svg` and of `sprite.svg#trash`. */
function drawingsOf(element: Element): string[] {
  const style = element.ownerDocument.defaultView?.getComputedStyle(element);
  const styled = [style?.backgroundImage, style?.maskImage].flatMap((image = '') =>
    [...image.matchAll(/url\("?([^")]+)/g)].map(([, address = '']) => address),
  );
  const linked = ['src', 'href', 'xlink:href'].map((name) =>
    element.matches('img, use, image, input') ? (element.getAttribute(name) ?? '') : '',
  );
  return [...styled, ...linked].filter((address) => !address.startsWith('data:')).map(nameOfFile);
}

const nameOfFile = (address: string): string =>
  (address.split('#')[1] || address.split(/[?#]/)[0]?.split('/').at(-1)?.split('.')[0]) ?? '';
