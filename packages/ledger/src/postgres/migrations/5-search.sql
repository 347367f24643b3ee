-- The words of a transcript's message. In the C locale, lower() and character classes know ASCII only: other letters are named here,
-- and a search asks for each case of them. Never raises, because that would refuse the commit: a text with NUL or half a
-- surrogate pair is not found. Long words are left out: a lexeme has at most 2 kB, a tsvector 1 MB.
CREATE FUNCTION search_words(payload text) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN (
    SELECT coalesce(array_to_tsvector(array_agg(DISTINCT word)), ''::tsvector)
    FROM regexp_split_to_table(lower(left(payload::jsonb #>> '{message,content}', 100000)),
      '([^a-zA-Z0-9\u00aa-\uffff\U00010000-\U0010ffff]|[\u00ab\u00b0\u00b7\u00bb\u2000-\u206f\u3000-\u303f])+') AS word
    WHERE word <> '' AND length(word) <= 64
  );
EXCEPTION WHEN OTHERS THEN
  RETURN ''::tsvector;
END $$;
CREATE INDEX events_search ON events USING gin (search_words(payload)) WHERE message_id IS NOT NULL;
