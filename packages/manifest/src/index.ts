// Composition, context, states, checks, attachments and signals.
export type { AttachmentEffect, AttachmentEvent } from './attachment/attachment-effect.ts';
export {
  type AttachmentAnswer,
  type AttachmentState,
  type AttachmentStates,
  startAttachments,
  stepAttachment,
} from './attachment/attachment-machine.ts';
export { type AttachmentStatus, attachmentStatus } from './attachment/attachment-status.ts';
export { LIFECYCLE_POLICIES, type Lifecycle, readLifecycle } from './attachment/lifecycle-policy.ts';
export { type MapOffer, NO_MAP, offeredTools, offerMap, readyMap } from './call/map-offer.ts';
export {
  type CallOutcome,
  type CallResult,
  type CallSurface,
  callTool,
  finishCall,
  type ToolCall,
} from './call/tool-call.ts';
export type { CheckedMap } from './check/assertion.ts';
export { blockOf, type SpeaksFor } from './check/call-block.ts';
export { type CheckEffect, effectsOf } from './check/check-effect.ts';
export type { CheckResult, CheckStatus } from './check/check-result.ts';
export { runChecks } from './check/check-run.ts';
export { addressOf, localAddress, storageAddress } from './compose/address.ts';
export {
  asManifest,
  type Composed,
  type ComposeOptions,
  checkSpeaksFor,
  compose,
} from './compose/compose.ts';
export type { LoadImport } from './compose/import-tree.ts';
export { type ComposeLimits, DEFAULT_COMPOSE_LIMITS } from './compose/limits.ts';
export {
  allowTrust,
  DEFAULT_TRUST_POLICY,
  type ImportLink,
  type Origin,
  type Trust,
  type TrustPolicy,
} from './compose/origin.ts';
export { type ComposeProblem, type Conflict, LoadRefusal, type ProblemCode } from './compose/problem.ts';
export {
  type ChoiceOptions,
  type ContextChoice,
  chooseBlocks,
  estimateTokens,
} from './context/block-choice.ts';
export { callableTools, type DocumentedMap, selectContext } from './context/context.ts';
export { type Block, isLoadedAt, type Situation } from './context/load-when.ts';
export { document } from './document/document.ts';
export { types } from './document/types.ts';
// Expressions and workflows.
export { byteLength } from './expression/byte-length.ts';
export type { Isolate, IsolateEvents, SetTimer, SpawnIsolate } from './expression/isolate.ts';
export { IsolatePool, type PoolOptions } from './expression/isolate-pool.ts';
export { readSlot, type Slot } from './expression/slot.ts';
export { checkExpression, type ExpressionProblem, MAX_EXPRESSION_CHARS } from './expression/source.ts';
export { evaluateSlot, fillTemplate } from './expression/template.ts';
export { isTrue } from './expression/truth.ts';
export type {
  EvaluationLimits,
  Evaluator,
  Extraction,
  Extractor,
  Found,
  PageProbe,
  RunPrimitive,
} from './host.ts';
export { LINT_RULES, type LintOptions, type LintProblem, lint } from './lint/lint.ts';
export {
  exampleMap,
  isAtLeast,
  isSeverity,
  type LintRule,
  type LintSeverity,
  SEVERITIES,
} from './lint/rule.ts';
export type { MapChange } from './migrate/change.ts';
export { type Migration, migrate } from './migrate/migrate.ts';
export { applyPatch, type Operation, PatchError } from './projection/diff/patch.ts';
export type { SemanticDelta } from './projection/diff/semantic-delta.ts';
export { diffValues, type ValueDiff } from './projection/diff/value-diff.ts';
export { postconditionCheck } from './projection/postcondition.ts';
export { type RawExtraction, type RawMatch, shapeRecords } from './projection/records.ts';
export { type DiffQuery, type DiffResult, diffState } from './projection/state-diff.ts';
export { stateHash } from './projection/state-hash.ts';
export { STATE_LIMITS, type StateLimits } from './projection/state-limits.ts';
export {
  type Diagnostics,
  readState,
  type StateQuery,
  type StateResult,
  type StateSource,
} from './projection/state-reading.ts';
export { createStateSnapshots, type StateSnapshots } from './projection/state-snapshots.ts';
export { readSummary, type SummaryQuery, type SummaryResult } from './projection/state-summary.ts';
export { toDomEvent } from './signal/dom-event.ts';
export type { Rate } from './signal/rate-window.ts';
export {
  chooseSignal,
  DEFAULT_SIGNAL_RATE,
  type DropReason,
  type ForwardedSignal,
  isEnabled,
  NO_SIGNALS_YET,
  type PageEvent,
  receiveEvent,
  receiveNamed,
  type SignalAnswer,
  type SignalMoment,
  type SignalOutcome,
  type SignalState,
} from './signal/signal-gate.ts';
export { callSite, type SiteHost, type SiteRuntime } from './site/site.ts';
export { readSiteCall, type SiteCall, type SiteRoute } from './site/site-call.ts';
export { listSite, type SiteListing } from './site/site-listing.ts';
export { SITE_MODES, SITE_TOOL, type SiteMode } from './site/site-tool.ts';
// Source, validation, lint, migration and documents.
export { type Path, toPointer } from './source/path.ts';
export { printMap } from './source/print.ts';
export { type GateAnswer, type GateRequest, gateCall, statesMovedBy } from './state/call-gate.ts';
export { currentStates, type Diagnoses, type Diagnosis, diagnose, type Finding } from './state/diagnosis.ts';
export type { Observations } from './state/observable.ts';
export { type StateModel, stateMismatch, statesBehind } from './state/required-state.ts';
export { runtimeStatus, type StatusFacts } from './state/runtime-status.ts';
export { holdsAt, isThere, lookFor, type PageLocation, type Sighting } from './state/sighting.ts';
export {
  type Admission,
  admitCall,
  afterDiagnosis,
  type CallMoment,
  type TransitionLedger,
  type Traversal,
} from './state/transition-ledger.ts';
export { type TransitionWarning, warningsFor } from './state/transition-warning.ts';
export { matchesUrl, type UrlPredicate } from './state/url-predicate.ts';
export { type KnownPrimitives, MAP_LIMITS, type MapLimits } from './validate/check-context.ts';
export { ERRORS, WARNINGS } from './validate/codes.ts';
export type { MapProblem } from './validate/finding.ts';
export { checkSchema, type SchemaResult } from './validate/json-schema.ts';
export { compilePattern } from './validate/linear-pattern.ts';
export { nearest } from './validate/nearest.ts';
export { type ValidateOptions, type Validation, validate } from './validate/validate.ts';
export { continueRun, type RunResult } from './workflow/driver.ts';
export type { FailureClass } from './workflow/failure.ts';
export { callHandler, type HandlerCall } from './workflow/handler-call.ts';
export { WORKFLOW_LIMITS, type WorkflowLimits } from './workflow/limits.ts';
export { lowerExecutionSteps } from './workflow/lowered-steps.ts';
export type { Failure, ItemRecord, Plan, StepRecord, WorkflowRun } from './workflow/run.ts';
export { type StartOptions, startRun } from './workflow/start.ts';
export { readRun } from './workflow/stored-run.ts';
export {
  executionOf,
  type Handler,
  type HandlerRegistry,
  type ToolExecution,
} from './workflow/tool-execution.ts';
export type { Redact, TraceEntry } from './workflow/trace.ts';
export {
  type CheckPostcondition,
  PageLeft,
  type PostconditionScope,
  type WorkflowHost,
} from './workflow/workflow-host.ts';
