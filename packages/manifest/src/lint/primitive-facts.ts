/** What lint needs to know about the primitives: which change the page, which look at it, what they give. */
export const CHANGES_PAGE: ReadonlySet<string> = new Set([
  ...['pointer.click', 'pointer.double_click', 'pointer.drag', 'text.insert', 'text.type', 'keyboard.press'],
  ...['clipboard.paste', 'transfer.insert', 'browser.navigate', 'browser.close_tab'],
]);

export const POINTS_AT_PAGE: ReadonlySet<string> = new Set([
  'pointer.click',
  'pointer.double_click',
  'pointer.drag',
]);

export const INSERTS_TEXT: ReadonlySet<string> = new Set(['text.insert', 'text.type']);

export const LOOKS_AT_PAGE: ReadonlySet<string> = new Set([
  ...['locator.element_info', 'locator.wait_for', 'locator.text_content', 'locator.value'],
  ...[
    'dom.observe.visible',
    'dom.observe.attributes',
    'dom.snapshot_text',
    'dom.list_sections',
    'a11y.query',
  ],
]);

/** The fields of an output, where the dictionary closes them. */
export const OUTPUT_FIELDS: Readonly<Record<string, readonly string[]>> = {
  'page.info': ['url', 'title'],
  'pointer.move': ['x', 'y'],
  'pointer.click': ['clicked', 'x', 'y', 'modifiers', 'target'],
  'text.insert': ['inserted', 'inserted_length', 'input_method'],
  'dom.observe.visible': ['matches', 'match_count'],
  'dom.observe.attributes': ['matches', 'match_count', 'visible_count'],
  'dom.snapshot_text': ['text', 'truncated'],
  'locator.text_content': ['locator', 'text'],
  'locator.value': ['locator', 'value', 'settable', 'tag_name'],
  'locator.wait_for': ['matched', 'state', 'elapsed_ms'],
  'locator.element_info': [
    ...[
      'locator',
      'tag_name',
      'text',
      'bounding_box',
      'clickable_center',
      'clickable',
      'visibility',
      'ambiguous',
    ],
    ...['candidate_count', 'candidates', 'initial_visibility', 'scroll_operations_performed'],
  ],
};
