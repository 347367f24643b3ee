export type { Shown } from './door.ts';
