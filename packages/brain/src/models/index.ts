export { createModel } from './create-model.ts';
export {
  type Environment,
  type ModelSettings,
  ModelSettingsError,
  modelSettingsFrom,
  PROVIDERS,
  type ProviderName,
} from './settings.ts';
