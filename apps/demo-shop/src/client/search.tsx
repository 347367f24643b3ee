import { useEffect, useState } from 'react';
import { CATEGORIES, isSortOrder, type Product } from '../catalogue.ts';
import { mount } from './parts/mount.ts';
import { SearchResults } from './parts/search-results.tsx';
import { getJson } from './parts/shop-request.ts';

type Asked = { q: string; category: string; sort: string };

function askedInAddress(): Asked {
  const address = new URLSearchParams(location.search);
  const sort = address.get('sort') ?? '';
  return {
    q: address.get('q') ?? '',
    category: address.get('category') ?? '',
    sort: isSortOrder(sort) ? sort : 'shelf',
  };
}

function useResults(asked: Asked): Product[] | undefined {
  const [results, setResults] = useState<Product[]>();
  useEffect(() => {
    const leaving = new AbortController();
    const query = new URLSearchParams(asked);
    history.replaceState(null, '', `/search?${query}`);
    getJson<Product[]>(`/api/search?${query}`, leaving.signal).then(setResults, (error: unknown) => {
      if (!leaving.signal.aborted) throw error;
    });
    return () => leaving.abort();
  }, [asked]);
  return results;
}

function Search() {
  const [asked, setAsked] = useState(askedInAddress);
  const results = useResults(asked);
  const ask = (change: Partial<Asked>) => setAsked({ ...asked, ...change });
  return (
    <>
      <search>
        <form className="filters" onSubmit={(event) => event.preventDefault()}>
          <div className="field wide">
            <label htmlFor="query">Search the shop</label>
            <input
              id="query"
              type="search"
              autoComplete="off"
              placeholder="Lamps, chairs, mugs"
              value={asked.q}
              onChange={(event) => ask({ q: event.target.value })}
            />
          </div>
          <div className="field">
            <label htmlFor="category">Category</label>
            <select
              id="category"
              value={asked.category}
              onChange={(event) => ask({ category: event.target.value })}
            >
              <option value="">Everything</option>
              {CATEGORIES.map((category) => (
                <option key={category}>{category}</option>
              ))}
            </select>
          </div>
          <div className="field">
            <label htmlFor="sort">Sort</label>
            <select id="sort" value={asked.sort} onChange={(event) => ask({ sort: event.target.value })}>
              <option value="shelf">As on the shelf</option>
              <option value="cheapest">Cheapest first</option>
              <option value="dearest">Dearest first</option>
            </select>
          </div>
        </form>
      </search>
      {results && (
        <SearchResults products={results} query={asked.q} onShowAll={() => ask({ q: '', category: '' })} />
      )}
    </>
  );
}

mount('#search', <Search />);
