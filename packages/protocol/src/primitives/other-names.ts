/**
 * Names of the actions.json project that mean nothing here, with the way that does. docs/maps/differences.md has the
 * reasons.
 */
export const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ...['marker.query', 'cursor.move_to', 'pointer.move_to'].map(
    (name) => [name, 'find the element with locator.element_info and use pointer.move or dom.focus'] as const,
  ),
  ['keyboard.press_gated', 'use keyboard.press with retry_until'],
  ['overlay.register_launcher', 'declare an attachment of the kind overlay_launcher'],
  ...['task.add', 'task.next', 'task.complete', 'task.list', 'task.clear'].map(
    (name) => [name, 'the agent keeps its list itself; transfer.write stores a value'] as const,
  ),
  ...['a11y.watch', 'a11y.events.read', 'a11y.announcements_subscribe', 'a11y.announcements_configure'].map(
    (name) => [name, 'use page.wait, a signal of the map, or state_diff of actions.site'] as const,
  ),
  ...[
    'runtime.agent.start',
    'runtime.agent.stop',
    'runtime.agent.user_message',
    'runtime.agent.memory_clear',
  ].map(
    (name) => [name, 'a runtime has no agent; start one with launch_session of the chat protocol'] as const,
  ),
  ...[
    'runtime.session.name',
    'runtime.session.finalize_tabs',
    'runtime.session.log',
    'runtime.configure_pacing',
  ].map((name) => [name, 'leave it out: the relay names sessions, keeps the log and paces calls'] as const),
  ...['storage.list', 'storage.import_bundle', 'storage.sync'].map(
    (name) => [name, 'use storage.read_file; list of actions.site names the files'] as const,
  ),
  ['state.read', 'use state_read of actions.site'],
  ['actions.site', 'a workflow calls no other tool: repeat its steps, or let the agent call both'],
  ['browser.extract_elements', 'use page.extract'],
  ...['browser.run_javascript', 'debug.run_javascript'].map(
    (name) => [name, 'a map runs no scripts: use primitives and a state projection'] as const,
  ),
]);

/** The way to do here what such a name does there: "use page.extract". */
export const adviceForOther = (name: string): string | undefined => OTHER_NAMES.get(name);
