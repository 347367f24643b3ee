export { buildScript, embedScript, evaluatorScript, surfaceScript } from '../bundle/runtime-bundle.ts';
export { openEvidenceFolder } from './evidence-folder.ts';
export { openGrantFile } from './grant-file.ts';
export { type MapFolderOptions, openMapFolder } from './map-folder.ts';
export {
  type Connect,
  type SurfaceSource,
  type Surfaces,
  type SurfacesOptions,
  serveSurfaces,
} from './surfaces.ts';
