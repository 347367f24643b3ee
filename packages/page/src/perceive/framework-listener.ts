/**
 * How frameworks leave word, on the element itself, that it reacts to a press. Attributes are visible
 * everywhere; properties only where the page code shares the page's own world.
 */
const LISTENING_ATTRIBUTES = new Set(
  [
    'onclick ondblclick onmousedown onmouseup onpointerdown onpointerup ontouchstart ontouchend onkeydown',
    // Alpine, Vue in the page, Livewire, AngularJS, Angular in the page, Polymer, Ember, Knockout, Unpoly.
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
  /^on(?:Click|DblClick|DoubleClick|MouseDown|MouseUp|PointerDown|PointerUp|TouchStart|TouchEnd|Press)(?:Capture)?$/;

export function saysItListens(element: Element): boolean {
  return listensByAttribute(element) || listensByHandler(element) || listensByProperty(element);
}

function listensByAttribute(element: Element): boolean {
  // By name: iterating over `attributes` makes an object for every attribute of the page.
  return element.getAttributeNames().some((name) => {
    if (LISTENING_ATTRIBUTES.has(name) || name.startsWith('@click.') || name.startsWith('x-on:click.'))
      return true;
    const events = Object.hasOwn(EVENT_NAMING_ATTRIBUTES, name) && EVENT_NAMING_ATTRIBUTES[name];
    return events !== false && events?.test(element.getAttribute(name) ?? '') === true;
  });
}

/** Each by its name: a lookup by a name in a variable takes three times as long. */
function listensByHandler(element: Element): boolean {
  if (!takesHandlers(element)) return false;
  return (
    isHandler(element.onclick) ||
    isHandler(element.ondblclick) ||
    isHandler(element.onmousedown) ||
    isHandler(element.onpointerdown) ||
    isHandler(element.onpointerup) ||
    isHandler(element.ontouchstart)
  );
}

function takesHandlers(element: Element): element is Element & GlobalEventHandlers {
  return 'onclick' in element;
}

function isHandler(value: unknown): boolean {
  return typeof value === 'function';
}

function listensByProperty(element: Element): boolean {
  return Object.keys(element).some((key) => propertyListens(key, element));
}

/** One line for each framework: where it keeps what it calls on a press. */
function propertyListens(key: string, element: Element): boolean {
  if (key.startsWith('__reactProps$') || key.startsWith('__reactEventHandlers$'))
    return hasPress(element, key);
  if (key === '_vei') return hasPress(element, key); // Vue 3
  if (key === '__vue__') return 'click' in recordAt(recordAt(recordAt(element, '_vnode'), 'data'), 'on'); // Vue 2
  if (key === '__click' || key === '$$click') return true; // Svelte 5, Solid
  if (key === '__zone_symbol__clickfalse' || key === '__zone_symbol__clicktrue') return true; // Angular
  if (key === 'l' || key === '_listeners')
    return Object.keys(recordAt(element, key)).some((name) => /^click/i.test(name)); // Preact
  return key.startsWith('jQuery') && jQueryListens(recordAt(recordAt(element, key), 'events'));
}

function hasPress(element: Element, key: string): boolean {
  const props = recordAt(element, key);
  return Object.keys(props).some((name) => PRESS.test(name) && Boolean(props[name]));
}

/** jQuery keeps delegated handlers on the container, with a selector: those are its children's. */
function jQueryListens(events: Record<string, unknown>): boolean {
  const handlers = events['click'];
  return Array.isArray(handlers) && handlers.some((handler) => !recordAt({ handler }, 'handler')['selector']);
}

/** The selectors a container listens for on behalf of what is inside it. */
export function delegatedSelectors(element: Element): string[] {
  const key = Object.keys(element).find((name) => name.startsWith('jQuery'));
  if (key === undefined) return [];
  const handlers = recordAt(recordAt(element, key), 'events')['click'];
  if (!Array.isArray(handlers)) return [];
  return handlers
    .map((handler) => recordAt({ handler }, 'handler')['selector'])
    .filter((selector) => typeof selector === 'string');
}

function recordAt(holder: object, key: string): Record<string, unknown> {
  const value: unknown = Reflect.get(holder, key);
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
