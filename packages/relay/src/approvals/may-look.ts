import type { RuntimeView } from '@drawbridge/bridge';

/** Without the permission to read, a look of the relay's own would ask the person another question. */
export const mayLook = ({ grants }: Pick<RuntimeView, 'grants'>): boolean =>
  grants?.some(({ effect }) => effect === 'read') !== false;
