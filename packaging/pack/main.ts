import { join } from 'node:path';
import { pack } from './pack.ts';
import { ROOT } from './places.ts';

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(2)} MB`;

const { tarball, tarballBytes, folderBytes, carried } = await pack(join(ROOT, 'dist'));
const inProgram = carried.filter(({ parts }) => parts.includes('program'));
console.log(`${tarball}
  ${megabytes(tarballBytes)}, ${megabytes(folderBytes)} unpacked; nothing is fetched or built when it is installed
  carries ${carried.length} packages of others: ${inProgram.length} in the program, ${carried.length - inProgram.length} only in browsers
  of which ${carried.filter(({ direct }) => direct).length} are named by ours (sbom.cdx.json, LICENCES.txt)`);
