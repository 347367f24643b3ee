/** Runs in a page: the state that this device stored for offline use. */
export async function rememberedText(): Promise<string> {
  const names = (await indexedDB.databases()).map(({ name = '' }) => name);
  const name = names.find((each) => each.startsWith('drawbridge-memory-')) ?? '';
  const database = await new Promise<IDBDatabase>((resolve) => {
    const opening = indexedDB.open(name);
    opening.onsuccess = () => resolve(opening.result);
  });
  const tails = await new Promise((resolve) => {
    const reading = database.transaction('tails').objectStore('tails').getAll();
    reading.onsuccess = () => resolve(reading.result);
  });
  database.close();
  return JSON.stringify(tails);
}
