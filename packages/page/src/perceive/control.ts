import { lineOf } from './composed-tree.ts';

const ROLES =
  'button,link,checkbox,radio,switch,tab,menuitem,menuitemcheckbox,menuitemradio,option,combobox,slider,spinbutton,textbox,searchbox,treeitem'
    .split(',')
    .map((role) => `[role=${role}]`)
    .join();
/** Controls named by their content. */
const NAMED_BY_CONTENT = `a[href], button, summary, label, option, ${ROLES}`;
/** Elements with their own press action. */
const CONTROL = `${NAMED_BY_CONTENT}, area[href], input, select, textarea, iframe, frame, object, embed, video[controls], audio[controls], [onclick], [onpointerdown], [onpointerup], [onmousedown], [onmouseup], [tabindex], [contenteditable]:not([contenteditable=false])`;

export const isControl = (element: Element): boolean => element.matches(CONTROL);

export const isNamedByContent = (element: Element): boolean => element.matches(NAMED_BY_CONTENT);

/** A control between `hit` and its ancestor `target`, which a press activates first. */
export function controlOver(hit: Element, target: Element): Element | undefined {
  for (const outer of lineOf(hit)) {
    if (outer === target) return undefined;
    // The target's label, or a shadow root that contains it: from there the press belongs to the target.
    if (outer.localName === 'label' && Reflect.get(outer, 'control') === target) return undefined;
    if (isControl(outer)) return outer;
  }
  return undefined;
}
