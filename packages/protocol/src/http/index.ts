export * from './devices.ts';
export { HTTP_ERRORS, type HttpErrorCode } from './errors.ts';
export * from './notices.ts';
export type {
  Access,
  BodyOf,
  Frozen,
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
