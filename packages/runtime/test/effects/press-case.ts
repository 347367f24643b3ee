/** A page with one thing to press, named `Go`, and the words expected in its effect. */
export interface PressCase {
  readonly name: string;
  readonly html: string;
  /** A part of the words of a visible change; absent where any change will do. */
  readonly says?: RegExp;
  /** The page has this title when it can be pressed. */
  readonly title?: string;
  /** The page runs in a frame of this origin. */
  readonly frame?: 'other';
}

export const go = (script: string, more = '') =>
  `<button onclick="${script.replaceAll('"', '&quot;')}">Go</button>${more}`;
export const styled = (css: string, html: string) => `<style>${css}</style>${html}`;
export const pixel = (colour: string) =>
  `data:image/svg+xml,%3Csvg xmlns=%27http://www.w3.org/2000/svg%27 width=%2740%27 height=%2740%27%3E%3Crect width=%2740%27 height=%2740%27 fill=%27${colour}%27/%3E%3C/svg%3E`;
export const SVG = '<svg width=200 height=100 style="display:block">';
export const SVG_NAMESPACE = `'http://www.w3.org/2000/svg'`;
