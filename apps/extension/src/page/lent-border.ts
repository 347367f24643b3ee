/** A thin border around a lent page, in a closed shadow root. Takes no clicks and no layout space. */
export interface LentBorder {
  readonly show: (doing: boolean) => void;
  readonly hide: () => void;
}

const STYLE = [
  'all:initial',
  'position:fixed',
  'inset:0',
  'z-index:2147483646',
  'pointer-events:none',
  'box-sizing:border-box',
  'border:3px solid #b4531f',
];

export function createLentBorder(document: Document): LentBorder {
  let host: HTMLElement | undefined;
  const hide = () => {
    host?.remove();
    host = undefined;
  };
  return {
    show(doing) {
      hide();
      host = document.createElement('div');
      host.setAttribute('data-drawbridge', 'lent');
      host.setAttribute('aria-hidden', 'true');
      const line = document.createElement('div');
      line.style.cssText = [...STYLE, ...(doing ? ['border-width:5px'] : [])]
        .map((rule) => `${rule}!important;`)
        .join('');
      host.style.cssText = 'all:initial!important;position:fixed!important;pointer-events:none!important';
      host.attachShadow({ mode: 'closed' }).append(line);
      document.documentElement.append(host);
    },
    hide,
  };
}
