import type { ReplyTo } from '@drawbridge/protocol/http-call';
import { call } from './request.ts';

export type Machine = ReplyTo<'GET /api/machines'>['machines'][number];
export type OfferedAgent = NonNullable<Machine['offer']>['agents'][number];
export type OfferedFolder = NonNullable<Machine['offer']>['workspaces'][number];

export const machineApi = {
  list: async () => (await call('GET /api/machines')).machines,
};
