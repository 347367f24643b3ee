export { HANDLERS } from './handlers.ts';
export {
  createStores,
  type FileStore,
  type PrimitiveContext,
  type PrimitiveStores,
} from './primitive-context.ts';
export { asRunPrimitive, checkPrimitive, runPrimitive } from './run-primitive.ts';
export { createTransferStore, type Transfer, type TransferStore } from './transfer-store.ts';
