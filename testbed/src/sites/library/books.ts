export const SUBJECTS = ['The sea', 'Travel', 'Science', 'Stories'] as const;
type Subject = (typeof SUBJECTS)[number];

export type Book = {
  id: string;
  title: string;
  author: string;
  year: number;
  subject: Subject;
  shelf: string;
  copies: number;
  /** Number of copies on loan; a book without copies on the shelf can still be held. */
  onLoan: number;
};

type Row = readonly [id: string, title: string, author: string, year: number, copies: number, onLoan: number];

const SHELVES: Record<Subject, readonly Row[]> = {
  'The sea': [
    ['moby-dick', 'Moby-Dick', 'Herman Melville', 1851, 3, 1],
    ['twenty-thousand-leagues', 'Twenty Thousand Leagues Under the Sea', 'Jules Verne', 1870, 2, 2],
    ['treasure-island', 'Treasure Island', 'Robert Louis Stevenson', 1883, 4, 1],
    ['the-sea-wolf', 'The Sea-Wolf', 'Jack London', 1904, 1, 0],
    ['sailing-alone', 'Sailing Alone Around the World', 'Joshua Slocum', 1900, 2, 1],
    ['two-years-before-the-mast', 'Two Years Before the Mast', 'Richard Henry Dana', 1840, 1, 1],
  ],
  Travel: [
    ['travels-with-a-donkey', 'Travels with a Donkey', 'Robert Louis Stevenson', 1879, 2, 0],
    ['around-the-world', 'Around the World in Eighty Days', 'Jules Verne', 1872, 3, 2],
    ['innocents-abroad', 'The Innocents Abroad', 'Mark Twain', 1869, 2, 1],
    ['voyage-of-the-beagle', 'The Voyage of the Beagle', 'Charles Darwin', 1839, 2, 0],
    ['travels-in-west-africa', 'Travels in West Africa', 'Mary Kingsley', 1897, 1, 0],
    ['worst-journey', 'The Worst Journey in the World', 'Apsley Cherry-Garrard', 1922, 1, 1],
  ],
  Science: [
    ['origin-of-species', 'On the Origin of Species', 'Charles Darwin', 1859, 3, 1],
    ['history-of-a-candle', 'The Chemical History of a Candle', 'Michael Faraday', 1861, 2, 0],
    ['book-of-insects', 'The Life of the Spider', 'Jean-Henri Fabre', 1912, 1, 0],
    ['starry-messenger', 'The Starry Messenger', 'Galileo Galilei', 1610, 1, 1],
    ['natural-history-of-selborne', 'The Natural History of Selborne', 'Gilbert White', 1789, 2, 1],
    ['flatland', 'Flatland', 'Edwin Abbott', 1884, 2, 0],
  ],
  Stories: [
    ['frankenstein', 'Frankenstein', 'Mary Shelley', 1818, 4, 2],
    ['pride-and-prejudice', 'Pride and Prejudice', 'Jane Austen', 1813, 5, 3],
    ['middlemarch', 'Middlemarch', 'George Eliot', 1871, 2, 2],
    ['secret-garden', 'The Secret Garden', 'Frances Hodgson Burnett', 1911, 3, 0],
    ['sherlock-holmes', 'The Adventures of Sherlock Holmes', 'Arthur Conan Doyle', 1892, 3, 3],
    ['wind-in-the-willows', 'The Wind in the Willows', 'Kenneth Grahame', 1908, 2, 1],
  ],
};

export const books: readonly Book[] = SUBJECTS.flatMap((subject) =>
  SHELVES[subject].map(
    ([id, title, author, year, copies, onLoan]): Book => ({
      ...{ id, title, author, year, subject, copies, onLoan },
      shelf: `${subject.replace('The ', '').slice(0, 3).toUpperCase()} ${author.split(' ').at(-1)?.slice(0, 3).toUpperCase()}`,
    }),
  ),
);

const byId = new Map(books.map((book) => [book.id, book]));

export const findBook = (id: string): Book | undefined => byId.get(id);

export function searchBooks(query: string, subject: string): Book[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return books.filter((book) => {
    const text = `${book.title} ${book.author} ${book.subject}`.toLowerCase();
    return (subject === '' || book.subject === subject) && words.every((word) => text.includes(word));
  });
}

export function availability({ copies, onLoan }: Book): string {
  const here = copies - onLoan;
  return here > 0 ? `${here} of ${copies} on the shelf` : 'All copies on loan';
}
