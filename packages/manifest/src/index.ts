export type {
  Cancellation,
  Clock,
  EvaluationLimits,
  Evaluator,
  Extraction,
  Extractor,
  Found,
  PageProbe,
  RunPrimitive,
} from './host.ts';
export { applyPatch, type Operation, PatchError } from './projection/diff/patch.ts';
export type { SemanticDelta } from './projection/diff/semantic-delta.ts';
export { diffValues, type ValueDiff } from './projection/diff/value-diff.ts';
export type { ExtractEntry, ExtractField, ReadableProperty } from './projection/extract-spec.ts';
export { type FinishedRun, verifyPostconditions } from './projection/postcondition.ts';
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
export { callSite, type SiteHands, type SiteRuntime } from './site/site.ts';
export { readSiteCall, type SiteCall, type SiteRoute } from './site/site-call.ts';
export { listSite, type SiteListing } from './site/site-listing.ts';
export { SITE_MODES, SITE_TOOL, type SiteMode } from './site/site-tool.ts';
// Source, validation, lint, migration and documents.
export { type Path, toPointer } from './source/path.ts';
export { printMap } from './source/print.ts';
export { type KnownPrimitives, MAP_LIMITS, type MapLimits } from './validate/check-context.ts';
export { ERRORS, WARNINGS } from './validate/codes.ts';
export type { MapProblem } from './validate/finding.ts';
export { checkSchema, type SchemaResult } from './validate/json-schema.ts';
export { compilePattern } from './validate/linear-pattern.ts';
export { type ValidateOptions, type Validation, validate } from './validate/validate.ts';
// Expressions and workflows.
export { byteLength } from './expression/byte-length.ts';
export type { Isolate, IsolateEvents, SetTimer, SpawnIsolate } from './expression/isolate.ts';
export { IsolatePool, type PoolOptions } from './expression/isolate-pool.ts';
export { readSlot, type Slot } from './expression/slot.ts';
export { checkExpression, type ExpressionProblem, MAX_EXPRESSION_CHARS } from './expression/source.ts';
export { evaluateSlot, fillTemplate } from './expression/template.ts';
export { isTrue } from './expression/truth.ts';
export { continueRun, type RunResult } from './workflow/driver.ts';
export type { FailureClass } from './workflow/failure.ts';
export { callHandler, type HandlerCall } from './workflow/handler-call.ts';
export { type CheckPostcondition, type Hands, PageLeft, type PostconditionScope } from './workflow/hands.ts';
export { WORKFLOW_LIMITS, type WorkflowLimits } from './workflow/limits.ts';
export { lowerExecutionSteps } from './workflow/lowered-steps.ts';
export type { Failure, ItemRecord, Plan, StepRecord, WorkflowRun } from './workflow/run.ts';
export { type StartOptions, startRun } from './workflow/start.ts';
export { executionOf, type Handler, type HandlerRegistry, type ToolExecution } from './workflow/tool-execution.ts';
export type { Redact, TraceEntry } from './workflow/trace.ts';
