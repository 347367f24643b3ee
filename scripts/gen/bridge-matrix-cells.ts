import type { BRIDGE_CODES } from '@drawbridge/protocol/catalog';

/** Cells that `e2e/matrix.browser.test.ts` runs and the reference page shows. */
export const MATRIX_TEST = 'e2e/matrix.browser.test.ts';

export const MATRIX_HOSTS = ['cdp', 'extension', 'embed', 'direct'] as const;

export const MATRIX_TRANSPORTS = ['websocket', 'polling', 'port', 'in-process'] as const;
export type MatrixTransport = (typeof MATRIX_TRANSPORTS)[number];

export type StableCode = keyof typeof BRIDGE_CODES;

export interface CodeRow {
  readonly code: StableCode;
  readonly rules: readonly string[];
  /** Situation on a real page that gives a caller this code. */
  readonly situation: string;
  /** Sender of the error: the bridge, on behalf of a runtime of that host, or the runtime itself. */
  readonly from: 'bridge' | 'runtime';
}

export const CODE_ROWS = [
  {
    code: 'unknown_action',
    rules: ['BRG-76'],
    from: 'runtime',
    situation: 'A call names an action that is neither in the map of the page nor a primitive.',
  },
  {
    code: 'invalid_input',
    rules: ['BRG-77'],
    from: 'runtime',
    situation: 'A tool that takes a number of litres is called with a word; the page is as it was.',
  },
  {
    code: 'runtime_not_ready',
    rules: ['BRG-78'],
    from: 'bridge',
    situation: 'A call names the runtime of a second page, whose connection has just ended.',
  },
  {
    code: 'permission_denied',
    rules: ['BRG-80'],
    from: 'runtime',
    situation: 'A tool would pay, which a loan of the page does not cover, and whoever is asked refuses.',
  },
  {
    code: 'ambiguous_runtime',
    rules: ['BRG-58'],
    from: 'bridge',
    situation: 'Two pages of one site are connected, and the call says only what both addresses contain.',
  },
  {
    code: 'runtime_not_found',
    rules: ['BRG-59'],
    from: 'bridge',
    situation: 'A call asks for a page by a title that no connected page has.',
  },
  {
    code: 'capability_unavailable',
    rules: ['BRG-82'],
    from: 'runtime',
    situation:
      'A picture is asked of a host that is page script alone; of the others, which can take one, a tool whose map requires what no host has (there the bridge says so).',
  },
  {
    code: 'missing_handler',
    rules: ['BRG-83'],
    from: 'runtime',
    situation: 'A tool names a handler that nobody registered, although `window` has one of that name.',
  },
  {
    code: 'handler_failed',
    rules: ['BRG-84'],
    from: 'runtime',
    situation: 'The page is told to fetch an address, and the server hangs up without an answer.',
  },
  {
    code: 'handler_timeout',
    rules: ['BRG-85'],
    from: 'runtime',
    situation: 'A call waits for an element that never comes, for longer than the call may take.',
  },
  {
    code: 'invalid_result',
    rules: ['BRG-86'],
    from: 'runtime',
    situation: 'A tool reads a word off the page where its result schema promises a number.',
  },
  {
    code: 'target_not_found',
    rules: ['BRG-87'],
    from: 'runtime',
    situation: 'A locator describes an element that the page does not have.',
  },
  {
    code: 'state_mismatch',
    rules: ['BRG-88'],
    from: 'runtime',
    situation: 'A tool requires a rose, and nothing has grown yet.',
  },
  {
    code: 'drift_detected',
    rules: ['BRG-89'],
    from: 'runtime',
    situation: 'A check of the map names the tool, and the button it looks for is gone from the site.',
  },
  {
    code: 'unsafe_state',
    rules: ['BRG-90'],
    from: 'runtime',
    situation: 'A critical check finds the page on fire: no tool runs until it is out.',
  },
  {
    code: 'transport_failed',
    rules: ['BRG-91'],
    from: 'bridge',
    situation: 'The connection of a page ends while a call runs there, and nobody carries the call on.',
  },
] as const satisfies readonly CodeRow[];

export interface SelectorRow {
  readonly selector: string;
  readonly rule: string;
  readonly chooses: string;
}

export const SELECTOR_ROWS = [
  { selector: 'runtime_id', rule: 'BRG-52', chooses: 'the runtime with exactly that id' },
  { selector: 'target_runtime_id', rule: 'BRG-53', chooses: 'the runtime with exactly that id' },
  { selector: 'target.runtime_id', rule: 'BRG-54', chooses: 'the runtime with exactly that id' },
  { selector: 'target.runtime_key', rule: 'BRG-55', chooses: 'the runtime with exactly that key' },
  { selector: 'target_url_contains', rule: 'BRG-56', chooses: 'the one page whose address contains it' },
  { selector: 'target_title_contains', rule: 'BRG-57', chooses: 'the one page whose title contains it' },
] as const satisfies readonly SelectorRow[];

export type SelectorName = (typeof SELECTOR_ROWS)[number]['selector'];
