const PRESS_HANDLERS = 'onclick ondblclick onmousedown onpointerdown onpointerup ontouchstart'.split(' ');

/**
 * Marks of frameworks on elements that react to a press. Attributes are visible in every world; properties
 * only in the page's own.
 */
const LISTENING_ATTRIBUTES = new Set(
  [
    `${PRESS_HANDLERS.join(' ')} onmouseup ontouchend onkeydown`,
    // Alpine, in-DOM Vue, Livewire, AngularJS, in-DOM Angular, Polymer, Ember, Knockout, Unpoly.
    '@click x-on:click v-on:click wire:click ng-click data-ng-click (click) on-click on-tap data-ember-action up-follow',
    // htmx, Bootstrap, invoker commands.
    'hx-get hx-post hx-put hx-delete hx-patch data-hx-get data-hx-post',
    'data-bs-toggle data-bs-dismiss data-toggle data-dismiss popovertarget',
  ].flatMap((names) => names.split(' ')),
);

/** Attributes whose value names the event: Google's jsaction, Stimulus, Knockout. */
const EVENT_NAMING_ATTRIBUTES: Readonly<Record<string, RegExp>> = {
  jsaction: /(?:^|;\s*)(?!\w+:)|click|mousedown|pointerdown/,
  'data-action': /click|pointerdown|mousedown/,
  'data-controller-action': /click/,
  'data-bind': /(?:^|[,\s])click\s*:/,
};

const PRESS =
  /^on(?:(?:Dbl|Double)?Click|(?:Mouse|Pointer)(?:Down|Up)|Touch(?:Start|End)|Press)(?:Capture)?$/;

export function declaresListener(element: Element): boolean {
  return listensByAttribute(element) || listensByHandler(element) || listensByProperty(element);
}

function listensByAttribute(element: Element): boolean {
  // By name: iterating over `attributes` creates an object for every attribute of the page.
  return element.getAttributeNames().some((name) => {
    if (LISTENING_ATTRIBUTES.has(name) || name.startsWith('@click.') || name.startsWith('x-on:click.'))
      return true;
    const events = Object.hasOwn(EVENT_NAMING_ATTRIBUTES, name) && EVENT_NAMING_ATTRIBUTES[name];
    return events !== false && events?.test(element.getAttribute(name) ?? '') === true;
  });
}

/** Literal names: a lookup by variable takes three times as long. */
function listensByHandler(element: Element): boolean {
  return PRESS_HANDLERS.some((name) => typeof Reflect.get(element, name) === 'function');
}

function listensByProperty(element: Element): boolean {
  return Object.keys(element).some((key) => propertyListens(key, element));
}

/** Where each framework stores its press handlers. */
function propertyListens(key: string, element: Element): boolean {
  // React; Vue 3
  if (/^(?:__reactProps\$|__reactEventHandlers\$|_vei$)/.test(key)) return hasPress(recordAt(element, key));
  // Svelte 5, Solid, Angular
  if (/^(?:__click|\$\$click|__zone_symbol__click(?:true|false))$/.test(key)) return true;
  if (key === '__vue__') return 'click' in recordAt(recordAt(recordAt(element, '_vnode'), 'data'), 'on'); // Vue 2
  if (key === 'l' || key === '_listeners')
    return Object.keys(recordAt(element, key)).some((name) => /^click/i.test(name)); // Preact
  return key.startsWith('jQuery') && jQuerySelectors(element, key).includes(undefined);
}

function hasPress(props: Record<string, unknown>): boolean {
  return Object.keys(props).some((name) => PRESS.test(name) && Boolean(props[name]));
}

/** jQuery stores delegated handlers on the container, with a selector for its descendants. */
function jQuerySelectors(element: Element, key: string): unknown[] {
  const handlers = recordAt(recordAt(element, key), 'events')['click'];
  return Array.isArray(handlers)
    ? handlers.map((handler) => recordAt({ handler }, 'handler')['selector'] || undefined)
    : [];
}

/** Selectors of delegated listeners on a container. */
export function delegatedSelectors(element: Element): string[] {
  const key = Object.keys(element).find((name) => name.startsWith('jQuery'));
  if (key === undefined) return [];
  return jQuerySelectors(element, key).filter((selector) => typeof selector === 'string');
}

function recordAt(holder: object, key: string): Record<string, unknown> {
  const value: unknown = Reflect.get(holder, key);
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
