import { openSite } from '../shop/http-site.ts';
import { boardSite } from './board/board-site.ts';
import { librarySite } from './library/library-site.ts';

export type Sites = {
  /** A public library: a catalogue in pages, books, and holds on them. */
  libraryUrl: string;
  /** A board with lanes and cards that move between them. */
  boardUrl: string;
  /** Forgets every visitor, as if no browser had ever been here. */
  reset(): void;
  close(): Promise<void>;
};

export async function startSites(): Promise<Sites> {
  const host = '127.0.0.1';
  const [library, board] = [librarySite(), boardSite()];
  const servers = await Promise.all([openSite(host, 0), openSite(host, 0)]);
  const [libraryServer, boardServer] = servers;
  libraryServer.serve(library.routes);
  boardServer.serve(board.routes);
  let closing: Promise<unknown> | undefined;
  return {
    libraryUrl: `http://${host}:${libraryServer.port}`,
    boardUrl: `http://${host}:${boardServer.port}`,
    reset() {
      library.reset();
      board.reset();
    },
    async close() {
      closing ??= Promise.all(servers.map((server) => server.close()));
      await closing;
    },
  };
}
