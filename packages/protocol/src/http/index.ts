export { AUDIT_ACTIONS, type AuditAction } from './audit-actions.ts';
export * from './devices.ts';
export { HTTP_ERRORS, type HttpErrorCode, INTERACT_ERRORS, type InteractErrorCode } from './errors.ts';
export * from './health.ts';
export * from './interact.ts';
export * from './notices.ts';
export * from './pusher.ts';
export type {
  Access,
  BodyOf,
  Frozen,
  OwnAccess,
  Parameter,
  ParamsOf,
  QueryOf,
  ReplyOf,
  Route,
  RouteTable,
} from './route.ts';
export * from './routes.ts';
export * from './runtimes.ts';
export * from './sessions.ts';
export * from './tasks.ts';
