/**
 * Every error code that Drawbridge sends, by contract. The list is closed for what we send; a peer may send
 * any stable string. `docs/reference/error-codes.md` is generated from it.
 */
export type Severity = 'info' | 'minor' | 'major' | 'critical';

export interface ErrorCodeInfo {
  readonly severity: Severity;
  /** True when the same caller can succeed by changing the request or retrying later. */
  readonly recoverable: boolean;
  readonly meaning: string;
}

const code = (severity: Severity, recoverable: boolean, meaning: string): ErrorCodeInfo => ({
  severity,
  recoverable,
  meaning,
});

export const BRIDGE_CODES = {
  unknown_action: code('major', true, 'No declared action or primitive has this name.'),
  invalid_input: code('major', true, 'The item or its arguments do not match their schema.'),
  runtime_not_ready: code('major', true, 'The runtime is not connected, or has not loaded a map yet.'),
  permission_denied: code('major', false, 'A person or the trust policy does not allow this.'),
  ambiguous_runtime: code('major', true, 'The selector matches more than one runtime.'),
  runtime_not_found: code('major', true, 'The selector matches no connected runtime.'),
  capability_unavailable: code('major', false, 'This host cannot do what the action needs.'),
  missing_handler: code('major', false, 'The action names a handler that is not registered.'),
  handler_failed: code('major', true, 'The action ran and failed.'),
  handler_timeout: code('major', true, 'The action did not finish within its time limit.'),
  invalid_result: code('major', false, 'The result of the action does not match its result schema.'),
  target_not_found: code('major', true, 'The described element is not on the live page.'),
  state_mismatch: code('major', true, 'The page is not in the state the action requires.'),
  drift_detected: code('major', false, 'A check found that the site no longer matches its map.'),
  unsafe_state: code('critical', false, 'The page is in a state in which acting is prohibited.'),
  transport_failed: code('major', true, 'The connection was lost, or could not carry the item.'),
} as const satisfies Record<string, ErrorCodeInfo>;

export const CHAT_CODES = {
  protocol_version_unsupported: code('critical', false, 'The peer speaks another protocol version.'),
  invalid_message: code('major', true, 'The frame does not match its schema, or has an unknown type.'),
  session_not_connected: code('major', true, "The session's proxy is not connected."),
  session_unknown: code('major', false, 'The relay has no such session.'),
  send_rejected: code('major', true, 'The relay refused the send; nothing was stored.'),
  send_injection_failed: code('major', true, 'The proxy could not pass the message to the agent.'),
  selector_failure: code('major', true, "The proxy does not recognize the agent's panel."),
  history_not_available: code('minor', true, 'The requested history cannot be read.'),
  resume_cursor_invalid: code('minor', true, 'The cursor belongs to another ledger, or is beyond its end.'),
  no_proxy_connected: code('major', true, 'No connected proxy can do this.'),
  launch_timeout: code('major', true, 'The agent did not start in time.'),
  agent_not_open: code('major', true, 'The agent is not installed, or not running.'),
  launch_not_supported: code('major', false, 'The proxy cannot launch this agent.'),
  unauthorized: code('major', false, 'The credential does not allow this.'),
  prompt_not_found: code('minor', false, 'The prompt is unknown, expired, or already answered.'),
  agent_not_active: code('minor', true, 'The agent is not generating, so there is nothing to stop.'),
  model_not_available: code('minor', true, 'The agent does not offer this model.'),
  control_not_supported: code('minor', false, 'The agent has no such control.'),
  config_read_failed: code('minor', true, "The agent's configuration could not be read."),
  delivery_unknown: code('major', true, 'The proxy disconnected during delivery, so the outcome is unknown.'),
  invalid_subscription: code('minor', true, 'The list of sessions to subscribe to is malformed or too long.'),
  native_receipt_missing: code('major', true, 'The proxy did not confirm that the agent stopped.'),
  native_control_timeout: code('major', true, 'The proxy did not answer the stop in time.'),
  cancelled: code('info', true, 'A person cancelled or stopped it.'),
  machine_label_taken: code('minor', true, 'Another proxy has the same name.'),
  mode_not_available: code('minor', true, 'The agent does not offer this mode.'),
} as const satisfies Record<string, ErrorCodeInfo>;

/** The interact port also sends `unauthorized` and `cancelled` of chat. */
export const INTERACT_CODES = {
  invalid_request: code('major', true, 'The request body does not match its schema.'),
  session_not_found: code('major', true, 'There is no such session.'),
  task_not_found: code('major', true, 'There is no such task.'),
  forbidden: code('major', false, 'This device may not do that.'),
  task_busy: code('minor', true, 'Another call of the same task is running.'),
  session_archived: code('minor', true, 'The session was archived, so a new one must be started.'),
  invalid_task_state: code('minor', true, 'The task does not wait for a person.'),
  body_too_large: code('major', true, 'The body is larger than its limit.'),
  rate_limited: code('minor', true, 'Too many calls, or wrong credentials, came within a minute.'),
  brain_failed: code('major', true, 'No decision could be made, and nothing was stored.'),
  unavailable: code('major', true, 'No decider is set up, or the store refuses.'),
  internal: code('critical', true, 'The relay failed; see its log.'),
} as const satisfies Record<string, ErrorCodeInfo>;

/** Errors of a map's workflow or state projection, beside the bridge's codes. */
export const MAP_CODES = {
  invalid_workflow: code('major', false, 'The workflow breaks a rule of its schema.'),
  partial_expression_unsupported: code(
    'major',
    false,
    'A slot must be one whole {% … %} without other text.',
  ),
  disallowed_expression_function: code('major', false, 'The expression calls a banned function.'),
  invalid_expression: code('major', false, 'The expression does not parse.'),
  expression_evaluation_failed: code('major', true, 'The expression failed or timed out.'),
  expression_output_too_large: code('major', true, 'The output of the expression exceeds its limit.'),
  workflow_loop_input_invalid: code('major', true, 'for_each needs a list within max_items.'),
  workflow_retry_exhausted: code('major', true, 'retry_until did not hold within max_attempts.'),
  workflow_step_failed: code('major', true, 'A step of the workflow failed.'),
  workflow_settle_timeout: code('minor', true, 'The page did not settle in time after a step.'),
  workflow_output_failed: code('major', true, "The workflow's output expression failed."),
  workflow_output_too_large: code('major', true, 'The output of the workflow exceeds its limit.'),
  state_projection_not_found: code('major', true, 'The map has no such projection.'),
  invalid_state_projection: code('major', false, 'The projection breaks a rule of its schema.'),
  state_document_unavailable: code('major', true, 'There is no document to read from.'),
  state_schema_validation_failed: code('major', true, "The state does not match the projection's schema."),
  state_summary_not_found: code('major', true, 'The projection has no such summary.'),
  state_payload_too_large: code('major', true, 'The state is larger than its budget; ask for a summary.'),
  state_postcondition_failed: code(
    'major',
    true,
    'The page does not show the expected result of the action.',
  ),
  invalid_state_postcondition: code('major', false, 'The postcondition breaks a rule of its schema.'),
  state_diff_requires_full_state: code('major', true, 'A diff needs a full state to start from.'),
  state_markers_failed: code('minor', true, "The projection's markers could not be computed."),
} as const satisfies Record<string, ErrorCodeInfo>;

export const ERROR_CODES = { ...BRIDGE_CODES, ...CHAT_CODES, ...INTERACT_CODES, ...MAP_CODES } as const;

export type ErrorCode = keyof typeof ERROR_CODES;
