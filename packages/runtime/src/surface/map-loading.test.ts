import type { WebTool } from '@drawbridge/page/calls';
import { expect, test } from 'vitest';
import type { SurfaceHost } from '../host.ts';
import { singleMap } from '../maps/map-source.ts';
import type { Announcer } from './announcer.ts';
import { createMapLoading, type MapLoading } from './map-loading.ts';
import { createWebTools } from './web-tools.ts';

const toolNamed = (name: string): WebTool => ({
  ...{ name, description: 'x', input_schema: { type: 'object' }, hints: [] },
  origin: 'https://shop.example',
});

test("[BRG-156] announces tools registered during the map's preparation together with the map", async () => {
  let registered = [toolNamed('early')];
  const host: SurfaceHost = {
    kind: 'direct',
    runtimeKey: 'key',
    surface: () => ({ url: 'https://shop.example/', title: '', active: true }),
    callPage: async () => registered,
    onEvent: () => () => {},
    close: async () => {},
  };
  const announced: (readonly string[])[] = [];
  const namesIn = ({ offer }: ReturnType<MapLoading['choice']>) =>
    offer.ready ? offer.map.tools.map(({ name }) => name) : [];
  const announcer: Announcer = {
    announced: () => announced.length > 0,
    announce: () => void announced.push(namesIn(loading.choice())),
    sendStatus: async () => {},
    withdraw: () => {},
    states: () => new Set(),
  };
  const loading = createMapLoading({
    host,
    announcer,
    maps: singleMap({ protocol: 'actions.json', version: 1, tools: [] }),
    webTools: createWebTools(host),
    isClosed: () => false,
    prepare: async () => {
      registered = [...registered, toolNamed('meanwhile')];
      await loading.relist();
    },
    afterAnnouncing: async () => {},
    onError: (error) => expect.unreachable(String(error)),
  });
  loading.reload();
  await loading.done();
  expect(announced).toEqual([['webmcp.early', 'webmcp.meanwhile']]);
});
