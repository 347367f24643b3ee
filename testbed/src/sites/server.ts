import { openSite } from '@drawbridge/demo-shop/http-site';
import { boardSite } from './board/board-site.ts';
import { librarySite } from './library/library-site.ts';

export type Sites = {
  /** A public library: a catalogue in pages, books, and holds on them. */
  libraryUrl: string;
  /** A board with lanes and cards that move between them. */
  boardUrl: string;
  /** Drops every visitor. */
  reset(): void;
  close(): Promise<void>;
};

export type SitesOptions = { libraryPort?: number; boardPort?: number };

const HOST = '127.0.0.1';

export async function startSites({ libraryPort = 0, boardPort = 0 }: SitesOptions = {}): Promise<Sites> {
  const [library, board] = [librarySite(), boardSite()];
  const libraryServer = await openSite(HOST, libraryPort);
  const boardServer = await openSite(HOST, boardPort).catch(async (error: unknown) => {
    await libraryServer.close();
    throw error;
  });
  libraryServer.serve(library.routes);
  boardServer.serve(board.routes);
  let closing: Promise<unknown> | undefined;
  return {
    libraryUrl: `http://${HOST}:${libraryServer.port}`,
    boardUrl: `http://${HOST}:${boardServer.port}`,
    reset() {
      library.reset();
      board.reset();
    },
    async close() {
      closing ??= Promise.all([libraryServer.close(), boardServer.close()]);
      await closing;
    },
  };
}
