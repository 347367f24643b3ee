export { HTTP_ERRORS, type HttpErrorCode } from './errors.ts';
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
export * from './sessions.ts';
