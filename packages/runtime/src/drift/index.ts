export { DRIFT_STATUSES, type DriftPart, type DriftReport, type DriftStatus, type Repair } from './drift.ts';
export { driftReport } from './drift-report.ts';
export { driftText } from './drift-text.ts';
