import { lineOf } from './composed-tree.ts';

const ROLES =
  'button,link,checkbox,radio,switch,tab,menuitem,menuitemcheckbox,menuitemradio,option,combobox,slider,spinbutton,textbox,searchbox,treeitem'
    .split(',')
    .map((role) => `[role=${role}]`)
    .join();
/** Controls whose name is what is written in them. */
const NAMED_BY_CONTENT = `a[href], button, summary, label, option, ${ROLES}`;
/** Elements that do something of their own when they are pressed. */
const CONTROL = `${NAMED_BY_CONTENT}, area[href], input, select, textarea, iframe, frame, object, embed, video[controls], audio[controls], [onclick], [onpointerdown], [onpointerup], [onmousedown], [onmouseup], [tabindex], [contenteditable]:not([contenteditable=false])`;

export const isControl = (element: Element): boolean => element.matches(CONTROL);

export const isNamedByContent = (element: Element): boolean => element.matches(NAMED_BY_CONTENT);

/** A control that a press on `hit` sets off before it comes to `target`, which lies around it. */
export function controlOver(hit: Element, target: Element): Element | undefined {
  for (const outer of lineOf(hit)) {
    if (outer === target) return undefined;
    // A label for the target, or a shadow root that hides it: beyond that the press is the target's.
    if (outer.localName === 'label' && Reflect.get(outer, 'control') === target) return undefined;
    if (isControl(outer)) return outer;
  }
  return undefined;
}
