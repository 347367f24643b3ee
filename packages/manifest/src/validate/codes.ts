/**
 * The closed list of validation codes, with their meanings.
 * `docs/reference/map-errors.md` is generated from it.
 */
export const ERRORS = {
  invalid_json: 'The text is not JSON.',
  duplicate_key: 'A key is written twice in one object.',
  prototype_key: 'A key reaches an object prototype.',
  too_large: 'The map has more characters than the limit.',
  too_deep: 'The map nests deeper than the limit.',
  not_a_map: 'The file holds something other than one JSON object.',
  unsupported_protocol: '`protocol` is missing, or is not `"actions.json"`.',
  unsupported_version: '`version` is missing, or is not the number `1`.',
  missing_field: 'A required field is not there.',
  wrong_value: 'A field holds a value of another type, or not one of the allowed words.',
  unknown_field: 'A closed part has a field that it does not know.',
  stray_field: 'A field stands where it has no effect, without the field it belongs to.',
  one_of_two: 'Exactly one, or at most one, of two fields may stand here.',
  unsafe_identifier: 'A name or id is not ASCII words that begin with a letter, joined by dots.',
  reserved_name: 'A name, id or handler has a segment that every object inherits.',
  duplicate_name: 'Two parts of one kind have the same name or id.',
  not_executable: 'An agent may call the tool, but nothing says how it runs.',
  missing_event: 'A signal is enabled but names no DOM event.',
  missing_namespace: 'The map requires namespaces and an import has none.',
  invalid_selector: 'A selector is neither a string nor a list of strings.',
  invalid_schema: 'A JSON Schema inside the map is not an object, or cannot be applied.',
  unsafe_pattern: 'A regular expression cannot run in linear time.',
  unsafe_path: 'A path in `source.files` is absolute, or leaves the root.',
  unknown_state: 'A reference names a state that the map does not declare.',
  unknown_tool: 'A reference names a tool that the map does not declare.',
  unknown_attachment: 'A reference names an attachment that the map does not declare.',
  unknown_target: 'An assertion names a target that no tool, signal or attachment has.',
  unknown_projection: 'A reference names a projection that the map does not declare.',
  unknown_primitive: 'The dictionary of primitives has no such primitive.',
  debugger_primitive: 'A map may not use a primitive that needs a debugger.',
  duplicate_step: 'Two steps of one workflow have the same id.',
  too_many_steps: 'A workflow has more steps than the limit.',
  unbounded_loop: '`for_each` stands without `max_items`, or `retry_until` without `max_attempts`.',
  limit_exceeded: '`max_items` or `max_attempts` is above the limit.',
  expression_expected: 'A condition or loop is not one whole `{% … %}`.',
  partial_expression_unsupported: 'A text holds `{% … %}` together with other text.',
  invalid_expression: 'An expression does not parse, is too long, or holds a pattern that is not linear.',
  disallowed_expression_function: 'An expression calls `$eval`, `$random`, `$now` or `$millis`.',
} as const satisfies Record<string, string>;

export const WARNINGS = {
  unknown_mode: '`execution.mode` is a mode that Drawbridge does not run.',
  undeclared_reference: 'A reference that nothing depends on names something undeclared.',
  not_callable: 'A reference for agents names a tool that only speaks to the agent.',
  unknown_capability: '`requires` names nothing that the dictionary of primitives has.',
  unknown_policy: 'A lifecycle policy is unknown; the attachment will not be installed.',
  private_provenance: 'The provenance of a public map holds something private.',
} as const satisfies Record<string, string>;

/** Default `expected` texts by code. */
export const EXPECTED: Readonly<Record<string, string>> = {
  invalid_json: 'JSON',
  duplicate_key: 'each key once',
  prototype_key: 'another key',
  too_large: 'a smaller map',
  too_deep: 'fewer levels',
  reserved_name: 'another name',
  duplicate_name: 'a name of its own',
  duplicate_step: 'an id of its own',
  invalid_schema: 'a JSON Schema that can be applied',
  unsafe_pattern: 'a regular expression for RE2',
  invalid_expression: 'a JSONata expression',
  disallowed_expression_function: 'an expression that gives the same each time',
  unknown_target: 'the name of a tool, signal or attachment',
  unknown_primitive: 'a primitive of the dictionary',
  debugger_primitive: 'a primitive that needs no debugger',
  wrong_value: 'a value that fits',
};

export type ErrorCode = keyof typeof ERRORS;
export type WarningCode = keyof typeof WARNINGS;
